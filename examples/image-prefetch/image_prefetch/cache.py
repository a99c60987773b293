"""A host's folder of images."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

from image_prefetch.image import MIB, ImageError, checked_name

#: Bytes that are copied at a time.
_CHUNK = 4 * MIB
_PART = '.part'


class Cache:
    """Holds images; threads may share it.

    An image is there as a whole or not at all, whatever ends the copying.

    :param folder: its own; what an earlier process left unfinished there is
        removed.
    :param source: the folder that images are copied from.
    :param most_mb: what the images may take; 0: all that is free.
    """

    def __init__(self, folder: Path, source: Path, most_mb: int = 0) -> None:
        self._folder = folder
        self._source = source
        self._most_mb = most_mb
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
        taken = sum(
            path.stat().st_size for path in self._folder.iterdir()
        )
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
            size_mb = -(-os.fstat(source.fileno()).st_size // MIB)
            if size_mb > self.free_mb():  # others came before
                raise ImageError(f'no room for the {size_mb} MiB of {name}')
            shutil.copyfileobj(source, part, _CHUNK)
        part.flush()
        os.fsync(part.fileno())


def _digest(path: Path) -> str:
    with path.open('rb') as file:
        return hashlib.file_digest(file, 'sha256').hexdigest()
