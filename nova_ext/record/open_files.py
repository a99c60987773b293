"""Open all files of a record, whatever is rotated meanwhile."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from nova_ext.record.file import list_rotated


@contextlib.contextmanager
def open_all(path: Path) -> Iterator[list[BinaryIO]]:
    """Open the current file and all rotated ones, oldest first.

    The current file is opened before the others are listed: after a rotation
    meanwhile its content is there twice, which is seen, rather than missing.

    :raises OSError: for a current or rotated file that can't be read.
    """
    with contextlib.ExitStack() as stack:
        current = []
        with contextlib.suppress(FileNotFoundError):
            current = [stack.enter_context(path.open('rb'))]
        older: list[BinaryIO] = []
        for other in list_rotated(path):
            with contextlib.suppress(FileNotFoundError):
                older.append(stack.enter_context(other.open('rb')))
        seen = {_identity(file) for file in older}
        yield older + [f for f in current if _identity(f) not in seen]


def _identity(file: BinaryIO) -> tuple[int, int]:
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino
