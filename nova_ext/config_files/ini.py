"""Parse files of oslo.config in its own grammar, with line numbers."""

from collections.abc import Iterable
from pathlib import Path

from oslo_config import iniparser

from nova_ext.config_files.configuration import Layer, Value
from nova_ext.core.base import errors
from nova_ext.core.base.finding import Location


class UnreadableError(Exception):
    """Report a line that oslo.config can't read."""

    def __init__(self, location: Location, problem: str) -> None:
        self.location = location
        self.problem = problem
        super().__init__(f'{location}: {problem}')


class _Parser(iniparser.BaseParser):
    """Fill a layer."""

    def __init__(self, layer: Layer, offset: int = 0) -> None:
        self.lineno = offset
        self._layer = layer
        self._group = ''
        self._first_line = 0

    def _split_key_value(self, line: str) -> tuple[str, list[str]]:
        self._first_line = self.lineno
        return super()._split_key_value(line)

    def new_section(self, section: str) -> None:
        self._group = section

    def assignment(self, key: str, value: list[str]) -> None:
        location = Location(self._layer.path, self._first_line)
        if not self._group:
            raise UnreadableError(
                location, 'an option stands before any [group]'
            )
        self._layer.add(self._group, key, Value('\n'.join(value), location))


def read_lines(path: str) -> list[str]:
    """Read the lines of a file.

    :raises NovaExtError: for a file that can't be read.
    """
    try:
        return Path(path).read_text('utf-8', 'replace').splitlines()
    except OSError as error:
        raise errors.NovaExtError(
            f'{path} can\'t be read: {error.strerror}'
        ) from error


def parse_lines(layer: Layer, lines: Iterable[str], offset: int = 0) -> None:
    """Parse lines into a layer, which keeps what stands before an error.

    :param offset: how many lines of the file stand before these.
    :raises UnreadableError: for a line that oslo.config can't read.
    """
    parser = _Parser(layer, offset)
    try:
        parser.parse(lines)
    except iniparser.ParseError as error:
        # Without the line's text, which may hold a password.
        raise UnreadableError(
            Location(layer.path, error.lineno), error.msg
        ) from error
