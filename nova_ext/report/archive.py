"""Write a tar.gz, whole or not at all, that only its owner may read."""

import io
import os
import tarfile
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError


def write(path: Path, files: Mapping[str, bytes]) -> None:
    """Write an archive.

    :param path: where; no file may be there yet.
    :param files: contents by name; all go into one folder, named as the
        archive is.
    :raises NovaExtError: when a file is there, or it can't be written.
    """
    folder = path.name.removesuffix('.tar.gz')
    try:
        # Its mode is 0600 from the first byte on.
        descriptor, partial = tempfile.mkstemp(dir=path.parent, prefix='.new-')
        try:
            with (
                os.fdopen(descriptor, 'wb') as stream,
                tarfile.open(fileobj=stream, mode='w:gz') as archive,
            ):
                for name, content in files.items():
                    _add(archive, f'{folder}/{name}', content)
            # Unlike a rename, a link never takes another file's place.
            os.link(partial, path)
        finally:
            Path(partial).unlink()
    except FileExistsError as error:
        raise NovaExtError(
            f'{path} is there already; remove it, or give another --output'
        ) from error
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    # Neither the user's name nor id is in it.
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = 0o600
    member.mtime = int(time.time())
    archive.addfile(member, io.BytesIO(content))
