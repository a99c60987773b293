"""Reads a record while it is written, through its rotations."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from nova_ext.record import file
from nova_ext.record.reader import LINE_BYTES

#: A file is known by so much of its first line, which has a time and an id;
#: its inode goes to another file when it is removed.
_KNOWN_BY_BYTES = 512


class Place(NamedTuple):
    """A place in a record: what its file is known by, and an offset."""

    file: str
    offset: int


class Follower:
    """Gives each line once, oldest first.

    :param path: the current file; it may be absent as yet.
    :param place: the first byte to read; None: the beginning. Where its file
        is gone, what is left of the record is read from its beginning.
    :ivar missed: whether it was gone, and lines with it perhaps.
    """

    def __init__(self, path: Path, place: Place | None = None) -> None:
        self._path = path
        self.place = place
        self.missed = False

    def skip(self) -> None:
        """Go to the end, past all lines that are there."""
        with file.opened(self._path) as files:
            for each in files:
                # What an empty file will be known by is not known yet.
                if end := each.seek(0, 2):
                    self.place = Place(_known_by(each), end)

    def lines(self) -> Iterator[bytes | None]:
        """Whole lines that have come since, with their ends.

        :returns: None for a line that is too long to be a decision. After
            each, ``place`` is behind it.
        :raises OSError: for a file that can't be read.
        """
        with file.opened(self._path) as files:
            for each in self._unread(files):
                yield from self._rest(each)

    def _unread(self, files: list[BinaryIO]) -> list[BinaryIO]:
        """From the file that was read last on."""
        for position, each in enumerate(files):
            if self.place and self.place.file == _known_by(each):
                each.seek(self.place.offset)
                return files[position:]
        self.missed = self.place is not None
        return files

    def _rest(self, each: BinaryIO) -> Iterator[bytes | None]:
        name, whole = _known_by(each), True
        while line := each.readline(LINE_BYTES):
            ended = line.endswith(b'\n')
            if not ended and len(line) < LINE_BYTES:
                return  # being written just now
            if ended:
                self.place = Place(name, each.tell())
                yield line if whole else None
            whole = ended


def _known_by(each: BinaryIO) -> str:
    """A digest of how a file begins; its position stays as it is."""
    here = each.tell()
    each.seek(0)
    beginning = each.readline(_KNOWN_BY_BYTES)
    each.seek(here)
    return hashlib.sha256(beginning).hexdigest()
