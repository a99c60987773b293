"""Follow a record while it is written, through its rotations."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from nova_ext.record import open_files
from nova_ext.record.reader import LINE_BYTES

#: So much of a file's first line, which has a time and an id, identifies it;
#: its inode goes to another file when it is removed.
_FINGERPRINT_BYTES = 512


class Place(NamedTuple):
    """Represent a place in a record: its file's fingerprint, and an offset."""

    file: str
    offset: int


class Follower:
    """Yield each line once, oldest first.

    :param path: the current file; it may be absent as yet.
    :param place: the first byte to read; None: the beginning. Where its file
        is gone, what is left of the record is read from its beginning.
    :ivar missed: that file was gone, and lines with it perhaps.
    """

    def __init__(self, path: Path, place: Place | None = None) -> None:
        self._path = path
        self.place = place
        self.missed = False

    def skip(self) -> None:
        """Go to the end, past all lines that are there."""
        with open_files.open_all(self._path) as files:
            for stream in files:
                # An empty file has no fingerprint yet.
                if end := stream.seek(0, 2):
                    self.place = Place(_fingerprint(stream), end)

    def lines(self) -> Iterator[bytes | None]:
        """Yield the whole lines that have come since, with their ends.

        :returns: None for a line that is too long to be a decision. After
            each, ``place`` is behind it.
        :raises OSError: for a file that can't be read.
        """
        with open_files.open_all(self._path) as files:
            for stream in self._unread(files):
                yield from self._rest(stream)

    def _unread(self, files: list[BinaryIO]) -> list[BinaryIO]:
        """Return the files from the one that was read last, at its place."""
        for position, stream in enumerate(files):
            if self.place and self.place.file == _fingerprint(stream):
                stream.seek(self.place.offset)
                return files[position:]
        self.missed = self.place is not None
        return files

    def _rest(self, stream: BinaryIO) -> Iterator[bytes | None]:
        name, whole = _fingerprint(stream), True
        while line := stream.readline(LINE_BYTES):
            ended = line.endswith(b'\n')
            if not ended and len(line) < LINE_BYTES:
                return  # being written just now
            if ended:
                self.place = Place(name, stream.tell())
                yield line if whole else None
            whole = ended


def _fingerprint(stream: BinaryIO) -> str:
    """Return a digest of how a file begins; keep its position."""
    position = stream.tell()
    stream.seek(0)
    beginning = stream.readline(_FINGERPRINT_BYTES)
    stream.seek(position)
    return hashlib.sha256(beginning).hexdigest()
