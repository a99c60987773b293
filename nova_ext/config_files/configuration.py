"""Merge configuration files, and keep the file and line of every value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from nova_ext.core.base.finding import Location

#: Group and option.
Name = tuple[str, str]

#: An expression or statement of Jinja, or of ERB as Chef and Puppet have it.
_TEMPLATE = re.compile(r'\{[{%].*?[%}]\}|<%.*?%>', re.DOTALL)


@dataclass(frozen=True)
class Value:
    """Represent one assignment, or one item of a list.

    :param text: the value, continuation lines joined by newlines.
    :param location: where it begins.
    :param parts: its items, where they were written one by one.
    """

    text: str
    location: Location
    parts: tuple['Value', ...] = ()

    @property
    def templated(self) -> bool:
        """Say whether a deployment tool still has to fill something in."""
        return bool(_TEMPLATE.search(self.text))

    def items(self) -> list['Value']:
        """Split a comma-separated list; each item has its own line."""
        if self.parts:
            return list(self.parts)
        items = []
        begin = 0
        # Commas of an expression are none of the list's.
        text = _TEMPLATE.sub(lambda it: it[0].replace(',', ' '), self.text)
        for part in text.split(','):
            lead = len(part) - len(part.lstrip())
            down = self.text.count('\n', 0, begin + lead)
            if part.strip():
                line = self.location.line + down
                location = Location(self.location.file, line)
                items.append(Value(part.strip(), location))
            begin += len(part) + 1
        return items


@dataclass(frozen=True)
class Unreadable:
    """Represent a line, or a file, that the service can't read.

    :param problem: why, without a text that may be a password.
    :param fix: a command that corrects it; empty: none does.
    """

    location: Location
    problem: str
    fix: str = ''


@dataclass(frozen=True)
class Ignored:
    """Represent a file, or a part of one, that nothing reads.

    :param what: what is not read, and by what.
    :param fix: how it is read.
    """

    location: Location
    what: str
    fix: str


@dataclass
class Layer:
    """Hold the settings of one file.

    :param replaces: whether its values of an option replace all those of
        earlier files, as deployment tools merge. Otherwise they are
        appended, as oslo.config reads.
    :param variables: settings of the deployment tool itself.
    :param conditional: whether a tool leaves some of its lines out.
    :param ignored: parts of it that the tool passes over.
    :param groupless: options that stand before any group.
    :param unreadable: lines that the service can't read. Each is here as it
        was probably meant.
    """

    path: str
    replaces: bool = False
    conditional: bool = False
    settings: dict[Name, list[Value]] = field(default_factory=dict)
    variables: dict[str, Value] = field(default_factory=dict)
    ignored: list[Ignored] = field(default_factory=list)
    groupless: list[str] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)

    @property
    def is_yaml(self) -> bool:
        """Say whether the file is not in oslo.config's own notation."""
        return self.path.endswith(('.yml', '.yaml'))

    def add(self, group: str, option: str, value: Value) -> None:
        """Add one assignment."""
        name = (normalize_group(group), option)
        self.settings.setdefault(name, []).append(value)

    def extend(self, group: str, option: str, text: str) -> Value:
        """Give the last assignment of an option another text."""
        values = self.settings[normalize_group(group), option]
        values[-1] = replace(values[-1], text=text)
        return values[-1]


class Configuration:
    """Merge layers, in the order in which they are read."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self.layers = layers

    def values(self, group: str, option: str) -> list[Value]:
        """Return the values that count of an option which may have several."""
        return self._split(group, option)[0]

    def replaced(self, group: str, option: str) -> list[tuple[Value, Layer]]:
        """Return values that a later layer replaced, with that layer."""
        return self._split(group, option)[1]

    def last(self, group: str, option: str) -> Value | None:
        """Return the value that counts of an option which has one."""
        for layer in reversed(self.layers):
            values = layer.settings.get((group, option))
            if values:
                return values[-1]
        return None

    def items(self, group: str, option: str) -> list[Value]:
        """Return the items of a list option, in the layer that counts."""
        value = self.last(group, option)
        return value.items() if value else []

    def settings(self) -> Iterator[tuple[Name, Value]]:
        """Generate every assignment, whether it counts or not."""
        for layer in self.layers:
            for name, values in layer.settings.items():
                for value in values:
                    yield name, value

    def default_location(self) -> Location:
        """Return where to point when an option is not set."""
        return Location(self.layers[-1].path if self.layers else 'nova.conf')

    def _split(
        self, group: str, option: str
    ) -> tuple[list[Value], list[tuple[Value, Layer]]]:
        effective: list[Value] = []
        replaced: list[tuple[Value, Layer]] = []
        for layer in self.layers:
            values = layer.settings.get((group, option), [])
            if values and layer.replaces:
                replaced += [(value, layer) for value in effective]
                effective = []
            effective += values
        return effective, replaced


def normalize_group(group: str) -> str:
    """Return a group's name as oslo.config compares it."""
    return group if group == 'DEFAULT' else group.lower()
