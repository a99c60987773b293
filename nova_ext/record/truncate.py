"""The beginning of what a user wrote, as plain data."""

import json
from typing import Any

#: Bytes of one text, and of all that is cut together.
TEXT = 256
ALL = 4096


class Brief:
    """Cuts texts; what there is no room for is left out.

    It serves for one decision: what it gives takes few more bytes of JSON
    than ALL.
    """

    def __init__(self) -> None:
        self._left = ALL

    def cut(self, value: Any) -> Any:
        """Cut the texts of a value to their beginnings.

        What is short comes first, so that one long hint pushes out no other.
        """
        if isinstance(value, dict):
            return {
                self.cut(name): self.cut(inner)
                for name, inner in sorted(value.items(), key=_size)
                if self._left > 0
            }
        if isinstance(value, list | tuple):
            return [self.cut(inner) for inner in value if self._left > 0]
        made = beginning(value) if isinstance(value, str) else value
        self._left -= _size(made)
        return made


def beginning(whole: str, most: int = TEXT) -> str:
    """The beginning of a text, marked where that is not all.

    :param most: bytes of JSON, the mark not counted.
    """
    begin = whole[:most]
    while _size(begin) > most + 2:
        begin = begin[:len(begin) * 3 // 4]
    return whole if begin == whole else f'{begin}…'


def _size(value: Any) -> int:
    return len(json.dumps(value, default=str))
