"""Which classes the lines of an option bring."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nova_ext.config_files.configuration import Value

_PATHS = re.compile(r'[,\s]+')


@dataclass
class Brought:
    """Classes by name.

    :param lines: each line, with the names it brings; None: a function of
        a plugin, whose classes are known only when it is run.
    """

    lines: list[tuple[Value, frozenset[str] | None]] = field(
        default_factory=list
    )

    @property
    def names(self) -> set[str]:
        """All names that are known."""
        return {name for _, names in self.lines for name in names or ()}

    @property
    def opaque(self) -> bool:
        """Whether a line may bring more names than are known."""
        return any(names is None for _, names in self.lines)

    def by(self, name: str) -> list[Value]:
        """The lines that bring a name."""
        return [value for value, names in self.lines if name in (names or ())]


def brought(
    lines: Sequence[Value], functions: Mapping[str, Iterable[str]]
) -> Brought:
    """What lines bring.

    :param functions: names by the dotted path of the function that returns
        the classes.
    """
    found = Brought()
    for line in lines:
        # Of several paths on one line another check complains.
        parts = [_names(path, functions) for path in _PATHS.split(line.text)]
        known = [names for names in parts if names is not None]
        found.lines.append((
            line, frozenset().union(*known) if known == parts else None
        ))
    return found


def _names(
    path: str, functions: Mapping[str, Iterable[str]]
) -> frozenset[str] | None:
    if path in functions:
        return frozenset(functions[path])
    return frozenset({path.rpartition('.')[2]}) if names_class(path) else None


def names_class(path: str) -> bool:
    """Whether a dotted path names a class, by the convention of case."""
    last = path.rpartition('.')[2].lstrip('_')
    return last[:1].isupper()


def is_path(text: str) -> bool:
    """Whether a text is one dotted path."""
    return bool(text) and all(
        part.isidentifier() for part in text.split('.')
    )
