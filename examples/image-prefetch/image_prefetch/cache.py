"""A host's folder of images."""

import hashlib
import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import IO

from image_prefetch.image import MIB, ImageError, checked_name

#: Bytes that are copied at a time.
_CHUNK = 4 * MIB
_PART = '.part'


class Cache:
    """Holds images; threads may share it.

    An image is there as a whole or not at all, whatever ends the copying;
    its room is taken when the copying begins.

    :param folder: its own; what an earlier process left unfinished there is
        removed.
    :param source: the folder that images are copied from.
    :param most_mb: what the images may take; 0: all that is free.
    """

    def __init__(self, folder: Path, source: Path, most_mb: int = 0) -> None:
        self._folder = folder
        self._source = source
        self._most_mb = most_mb
        # Held where room is looked at and taken, and where a file is renamed
        # that such a look could miss.
        self._room = threading.RLock()
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f'.*{_PART}'):
            left.unlink()

    def held(self) -> list[str]:
        """Names of the images that are there, sorted."""
        return sorted(
            path.name for path in self._folder.iterdir()
            if not path.name.startswith('.')
        )

    def free_mb(self) -> int:
        """MiB that there are for further images."""
        free = shutil.disk_usage(self._folder).free // MIB
        if not self._most_mb:
            return free
        with self._room:
            taken = sum(_size(path) for path in self._folder.iterdir())
        return max(0, min(free, self._most_mb - -(-taken // MIB)))

    def fetch(self, name: str, sha256: str) -> bool:
        """Have an image here.

        :param name: of its file.
        :param sha256: its checksum.
        :returns: whether it had to be copied.
        :raises ImageError: when it is not here then.
        """
        path = self._folder / checked_name(name)
        try:
            if path.is_file() and _digest(path) == sha256:
                return False
            with tempfile.NamedTemporaryFile(
                dir=self._folder, prefix=f'.{name}.', suffix=_PART,
                delete=False,
            ) as part:
                try:
                    self._copy(name, part)
                    if _digest(Path(part.name)) != sha256:
                        raise ImageError(f'{name} arrived damaged')
                    with self._room:
                        Path(part.name).replace(path)
                except BaseException:
                    Path(part.name).unlink()
                    raise
        except OSError as error:
            raise ImageError(
                f'{name} can\'t be copied: {error.strerror}'
            ) from error
        return True

    def _copy(self, name: str, part: IO[bytes]) -> None:
        """Copy the bytes, and have them on the disk when it ends."""
        with (self._source / name).open('rb') as source:
            self._take_room(name, part, os.fstat(source.fileno()).st_size)
            shutil.copyfileobj(source, part, _CHUNK)
        part.flush()
        os.fsync(part.fileno())

    def _take_room(self, name: str, part: IO[bytes], size: int) -> None:
        """Have all bytes of the file on the disk before they are written."""
        size_mb = -(-size // MIB)
        with self._room:
            if size_mb > self.free_mb():  # others came before
                raise ImageError(f'no room for the {size_mb} MiB of {name}')
            if size:
                os.posix_fallocate(part.fileno(), 0, size)


def _size(path: Path) -> int:
    """Bytes of a file; 0 for one that has gone since it was listed."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _digest(path: Path) -> str:
    with path.open('rb') as file:
        return hashlib.file_digest(file, 'sha256').hexdigest()
