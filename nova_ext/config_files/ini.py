"""Files of oslo.config, in its own grammar, with line numbers."""

from collections.abc import Iterable
from pathlib import Path

from oslo_config import iniparser

from nova_ext.config_files.configuration import Layer, Value
from nova_ext.core.base import errors
from nova_ext.core.base.finding import Place


class UnreadableError(Exception):
    """A line that oslo.config can't read."""

    def __init__(self, place: Place, problem: str) -> None:
        self.place = place
        self.problem = problem
        super().__init__(f'{place}: {problem}')


class _Parser(iniparser.BaseParser):
    """Fills a layer."""

    def __init__(self, layer: Layer, before: int = 0) -> None:
        self.lineno = before
        self._layer = layer
        self._group = ''
        self._begun = 0

    def _split_key_value(self, line: str) -> tuple[str, list[str]]:
        self._begun = self.lineno
        return super()._split_key_value(line)

    def new_section(self, section: str) -> None:
        self._group = section

    def assignment(self, key: str, value: list[str]) -> None:
        place = Place(self._layer.path, self._begun)
        if not self._group:
            raise UnreadableError(place, 'an option stands before any [group]')
        self._layer.add(self._group, key, Value('\n'.join(value), place))


def lines_of(path: str) -> list[str]:
    """The lines of a file.

    :raises NovaExtError: for one that can't be read.
    """
    try:
        return Path(path).read_text('utf-8', 'replace').splitlines()
    except OSError as error:
        raise errors.NovaExtError(
            f'{path} can\'t be read: {error.strerror}'
        ) from error


def fill(layer: Layer, lines: Iterable[str], before: int = 0) -> None:
    """Read lines into a layer, which keeps what was read before an error.

    :param before: how many lines of the file stand before these.
    :raises UnreadableError: for a line that oslo.config can't read.
    """
    parser = _Parser(layer, before)
    try:
        parser.parse(lines)
    except iniparser.ParseError as error:
        # Without the line's text, which may hold a password.
        raise UnreadableError(
            Place(layer.path, error.lineno), error.msg
        ) from error
