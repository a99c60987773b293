"""Options with the file and line of every value, merged as deployed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nova_ext.core.base.finding import Place

#: Group and option.
Name = tuple[str, str]

#: An expression or statement of Jinja.
_TEMPLATE = re.compile(r'\{[{%].*?[%}]\}', re.DOTALL)


@dataclass(frozen=True)
class Value:
    """One assignment, or one item of a list.

    :param text: the value, continuation lines joined by newlines.
    :param place: where it begins.
    :param parts: its items, where they were written one by one.
    """

    text: str
    place: Place
    parts: tuple['Value', ...] = ()

    @property
    def templated(self) -> bool:
        """Whether a deployment tool still has to fill something in."""
        return bool(_TEMPLATE.search(self.text))

    def items(self) -> list['Value']:
        """The items of a comma-separated list, each with its own line."""
        if self.parts:
            return list(self.parts)
        found = []
        begin = 0
        # Commas of an expression are none of the list's.
        text = _TEMPLATE.sub(lambda it: it[0].replace(',', ' '), self.text)
        for part in text.split(','):
            lead = len(part) - len(part.lstrip())
            down = self.text.count('\n', 0, begin + lead)
            if part.strip():
                place = Place(self.place.file, self.place.line + down)
                found.append(Value(part.strip(), place))
            begin += len(part) + 1
        return found


@dataclass
class Layer:
    """What one file says.

    :param replaces: its values replace all that earlier files gave an
        option with several values, as deployment tools merge; otherwise
        they come behind them, as oslo.config reads.
    :param variables: settings of the deployment tool itself.
    :param conditional: whether a tool leaves some of its lines out.
    """

    path: str
    replaces: bool = False
    conditional: bool = False
    settings: dict[Name, list[Value]] = field(default_factory=dict)
    variables: dict[str, Value] = field(default_factory=dict)

    def add(self, group: str, option: str, value: Value) -> None:
        """Add one assignment."""
        name = (normal(group), option.replace('-', '_'))
        self.settings.setdefault(name, []).append(value)


class Configuration:
    """Layers in the order in which they are read."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self.layers = layers

    def values(self, group: str, option: str) -> list[Value]:
        """The values that count of an option which may have several."""
        return self._split(group, option)[0]

    def lost(self, group: str, option: str) -> list[tuple[Value, Layer]]:
        """Values of such an option that a later layer replaced."""
        return self._split(group, option)[1]

    def last(self, group: str, option: str) -> Value | None:
        """The value that counts of an option which has one."""
        for layer in reversed(self.layers):
            found = layer.settings.get((group, option))
            if found:
                return found[-1]
        return None

    def items(self, group: str, option: str) -> list[Value]:
        """The items of a list option, in the layer that counts."""
        value = self.last(group, option)
        return value.items() if value else []

    def settings(self) -> Iterator[tuple[Name, Value]]:
        """Every assignment, whether it counts or not."""
        for layer in self.layers:
            for name, values in layer.settings.items():
                for value in values:
                    yield name, value

    def place(self) -> Place:
        """Where to point when nothing is written."""
        return Place(self.layers[-1].path if self.layers else 'nova.conf')

    def _split(
        self, group: str, option: str
    ) -> tuple[list[Value], list[tuple[Value, Layer]]]:
        kept: list[Value] = []
        lost: list[tuple[Value, Layer]] = []
        for layer in self.layers:
            found = layer.settings.get((group, option), [])
            if found and layer.replaces:
                lost += [(value, layer) for value in kept]
                kept = []
            kept += found
        return kept, lost


def normal(group: str) -> str:
    """A group's name as oslo.config compares it."""
    return group if group == 'DEFAULT' else group.lower()


def texts(values: Iterable[Value]) -> list[str]:
    """The values alone."""
    return [value.text for value in values]
