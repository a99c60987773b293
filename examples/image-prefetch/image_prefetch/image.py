"""An image: a file in a folder, with its checksum beside it."""

import re
from dataclasses import dataclass
from pathlib import Path

from nova_ext.client import NovaExtError

#: What is a file's name everywhere, and a capability's value.
_NAME = re.compile(r'[A-Za-z0-9][A-Za-z0-9._-]{0,250}')
_SHA256 = re.compile(r'[0-9a-f]{64}')
MIB = 2**20


class ImageError(NovaExtError):
    """An image that can't be read, copied or trusted."""


@dataclass(frozen=True)
class Image:
    """What is to be fetched.

    :param name: of its file.
    :param size_mb: rounded up.
    :param sha256: as ``sha256sum`` writes it.
    """

    name: str
    size_mb: int
    sha256: str


def checked_name(name: object) -> str:
    """The name, which a program somewhere else sent.

    :raises ImageError: for one that could lead out of a folder.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ImageError(
            'an image is named with letters, digits, ".", "_" and "-"'
        )
    return name


def read(folder: Path, name: str) -> Image:
    """Find an image in a folder.

    :param folder: with the file, and NAME.sha256 of ``sha256sum NAME``.
    :raises ImageError: when one of them is not there.
    """
    path = folder / checked_name(name)
    checksum = path.with_name(f'{name}.sha256')
    try:
        size = path.stat().st_size
        sha256 = checksum.read_text().partition(' ')[0].strip()
    except (OSError, ValueError) as error:
        raise ImageError(f'no image {path} with {checksum.name}') from error
    if not _SHA256.fullmatch(sha256):
        raise ImageError(f'{checksum} is not what sha256sum writes')
    return Image(name, -(-size // MIB), sha256)
