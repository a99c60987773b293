"""Write and read frames: the parts of a journal's file.

A file begins with a line, ``nova-ext journal 1``. Frames follow, each with a
header of 17 bytes: mark, kind, length of the payload, CRC-32 of kind and
length, CRC-32 of the payload; numbers are little-endian.

=====  =======================================================================
kind   payload
=====  =======================================================================
``E``  an epoch begins: the process. All tables are empty after it.
``D``  a decision, and what changed in the tables since the one before.
``L``  decisions that were not written.
=====  =======================================================================

Payloads are msgpack. Those of an epoch and its decisions are one deflate
stream, flushed at the end of each frame; an ``L`` is not compressed. So what
follows damage can be read from the next epoch on.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgpack

from nova_ext.core.base.errors import NovaExtError
from nova_ext.journal.model import Damage

VERSION = 1
TITLE = b'nova-ext journal '
HEADER = TITLE + b'%d\n' % VERSION
EPOCH, DECISION, LOSS = b'E', b'D', b'L'

_MARK = b'\x93NXJ'
_FIELDS = struct.Struct('<4scIII')
#: Longest line that a file may begin with.
_MAX_HEADER = 64
#: Level of zlib: higher ones take twice the time for a tenth less.
_LEVEL = 4
#: Largest payload, in bytes, decompressed: of 100,000 hosts. A damaged file
#: must not take all memory.
_MAX_BYTES = 1 << 30


class JournalError(NovaExtError):
    """Report a file that is no journal, or can't be read."""


class Frame(NamedTuple):
    """Represent one frame.

    :param offset: of its header, in bytes.
    :param end: of its payload.
    """

    offset: int
    end: int
    kind: bytes
    payload: bytes


class FrameWriter:
    """Make frames. After one that was not written, begin an epoch."""

    def __init__(self) -> None:
        self._stream: Any = None

    def make(self, kind: bytes, body: Any) -> bytes:
        """Return a frame.

        :param body: plain values, bytes and ``msgpack.ExtType``.
        """
        packed = msgpack.packb(body)
        if kind == LOSS:
            return _wrap(kind, packed)
        if kind == EPOCH:
            self._stream = zlib.compressobj(_LEVEL)
        return _wrap(
            kind,
            self._stream.compress(packed)
            + self._stream.flush(zlib.Z_SYNC_FLUSH),
        )


def _wrap(kind: bytes, payload: bytes) -> bytes:
    length = len(payload)
    return _FIELDS.pack(
        _MARK, kind, length, _sum(kind, length), zlib.crc32(payload)
    ) + payload


def _sum(kind: bytes, length: int) -> int:
    return zlib.crc32(kind + length.to_bytes(4, 'little'))


def check_header(data: bytes, name: str) -> int:
    """Check how a file begins; return where its first frame is.

    :param data: the file, or its beginning.
    :param name: of the file, for errors.
    :raises JournalError: for another file, or one of another version.
    """
    line, end, _ = data[:_MAX_HEADER].partition(b'\n')
    number = line[len(TITLE):]
    if not end or not line.startswith(TITLE) or not number.isdigit():
        raise JournalError(
            f'{name}: not a journal: it does not begin with '
            f'"{TITLE.decode().strip()}"'
        )
    if int(number) != VERSION:
        raise JournalError(
            f'{name}: format {int(number)} of the journal, and this nova-ext '
            f'reads format {VERSION}; read it with the nova-ext that wrote it'
        )
    return len(line) + 1


class FrameReader:
    """Find the frames in a part of a file.

    :param data: the part.
    :param start: its offset in the file.
    :ivar end: offset after the last whole frame, or after what is damaged.
    :ivar damage: what is no frame.
    :ivar cut: what the part ends with, if it is no whole frame. A file that
        is being written ends so, too.
    """

    def __init__(self, data: bytes, start: int) -> None:
        self._data = data
        self._start = start
        self.end = start
        self.cut: Damage | None = None

    def __iter__(self) -> Iterator[Frame | Damage]:
        """Yield frames, and what is damaged between them."""
        data, position = self._data, 0
        while position < len(data):
            length = self._read_length(position)
            if length is None:
                skipped = self._find(position + 1)
                if skipped is None and self._may_be_cut(position):
                    self._cut(position)
                    return
                skipped = len(data) if skipped is None else skipped
                yield self._damage(position)
                position = skipped
                self.end = self._start + position
                continue
            begin = position + _FIELDS.size
            end = begin + length
            if end > len(data):
                self._cut(position)
                return
            payload = data[begin:end]
            self.end = self._start + end
            if zlib.crc32(payload) == _FIELDS.unpack_from(data, position)[4]:
                yield Frame(
                    self._start + position, self.end,
                    data[position + 4:position + 5], payload,
                )
            else:
                yield self._damage(position)
            position = end

    def _read_length(self, position: int) -> int | None:
        """Return the length of a frame's payload; None: there is no frame."""
        if position + _FIELDS.size > len(self._data):
            return None
        mark, kind, length, checksum, _ = _FIELDS.unpack_from(
            self._data, position
        )
        is_frame = mark == _MARK and checksum == _sum(kind, length)
        return length if is_frame else None

    def _find(self, position: int) -> int | None:
        """Return the position of the next frame; None: there is none."""
        while True:
            position = self._data.find(_MARK, position)
            if position < 0:
                return None
            if self._read_length(position) is not None:
                return position
            position += 1

    def _may_be_cut(self, position: int) -> bool:
        """Say whether the rest is the beginning of a frame's header."""
        rest = self._data[position:]
        return len(rest) < _FIELDS.size and (
            rest.startswith(_MARK) or _MARK.startswith(rest)
        )

    def _damage(self, position: int) -> Damage:
        offset = self._start + position
        return Damage(offset, f'damaged at byte {offset}')

    def _cut(self, position: int) -> None:
        offset = self._start + position
        self.cut = Damage(
            offset, f'cut off at byte {offset}, in the middle of a frame'
        )


class Decompressor:
    """Read the payloads of an epoch, in order."""

    def __init__(self) -> None:
        self._stream: Any = None

    def unpack(self, frame: Frame) -> Any:
        """Return the body of a frame.

        :raises ValueError: for what is none.
        """
        if frame.kind == LOSS:
            return _unpack(frame.payload)
        if frame.kind == EPOCH:
            self._stream = zlib.decompressobj()
        try:
            packed = self._stream.decompress(frame.payload, _MAX_BYTES)
        except (AttributeError, zlib.error) as error:
            raise ValueError(f'not compressed: {error}') from None
        return _unpack(packed)


def _unpack(packed: bytes) -> Any:
    try:
        return msgpack.unpackb(packed, strict_map_key=False)
    except (msgpack.UnpackException, ValueError, TypeError) as error:
        raise ValueError(f'not msgpack: {error}') from None
