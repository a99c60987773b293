"""List the classes that the lines of an option provide."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nova_ext.config_files.configuration import Value

_SEPARATORS = re.compile(r'[,\s]+')


@dataclass(frozen=True)
class ListedClasses:
    """Hold the names of classes.

    :param lines: each line, with the names it provides; None: a function of
        a plugin, whose classes are known only when it is run.
    """

    lines: list[tuple[Value, frozenset[str] | None]]

    @property
    def names(self) -> set[str]:
        """Return all names that are known."""
        return {name for _, names in self.lines for name in names or ()}

    @property
    def opaque(self) -> bool:
        """Say whether a line may provide more names than are known."""
        return any(names is None for _, names in self.lines)


def list_classes(
    lines: Sequence[Value], functions: Mapping[str, Iterable[str]]
) -> ListedClasses:
    """List the classes that lines provide.

    :param functions: names of classes by the dotted path of the function
        that returns them.
    """
    listed = []
    for line in lines:
        # Another check reports several paths on one line.
        parts = [
            _names(path, functions)
            for path in _SEPARATORS.split(line.text.strip())
        ]
        known = [names for names in parts if names is not None]
        listed.append((
            line, frozenset().union(*known) if known == parts else None
        ))
    return ListedClasses(listed)


def _names(
    path: str, functions: Mapping[str, Iterable[str]]
) -> frozenset[str] | None:
    if path in functions:
        return frozenset(functions[path])
    return frozenset({path.rpartition('.')[2]}) if is_class(path) else None


def is_class(path: str) -> bool:
    """Say whether a dotted path names a class, by the convention of case."""
    last = path.rpartition('.')[2].lstrip('_')
    return last[:1].isupper()


def is_path(text: str) -> bool:
    """Say whether a text is one dotted path."""
    return bool(text) and all(
        part.isidentifier() for part in text.split('.')
    )
