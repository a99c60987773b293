"""Finds the file of a module by its name, without importing anything."""

import importlib.util
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path


class Finder:
    """Where modules are.

    :param folders: searched before Python's own path.
    :param use_nova: whether Nova counts as installed where it is.
    """

    def __init__(
        self, folders: Iterable[str] = (), use_nova: bool = True
    ) -> None:
        self.folders = [Path(folder) for folder in folders]
        self._use_nova = use_nova

    @cached_property
    def nova(self) -> bool:
        """Whether Nova is installed here."""
        return self._use_nova and self.file('nova') is not None

    def file(self, module: str) -> Path | None:
        """The file of a module or package; None: there is none.

        A dotted name is followed through folders: Python's own look-up
        would import the packages on the way.
        """
        top, *rest = module.split('.')
        if top == 'nova' and not self._use_nova:
            return None
        found = _below(self.folders, top) or _top(top)
        for name in rest:
            if found is None or found.name != '__init__.py':
                return None
            found = _below([found.parent], name)
        return found

    def exists(self, top: str) -> bool:
        """Whether a top-level module is there, in whatever form."""
        if _below(self.folders, top):
            return True
        try:
            return importlib.util.find_spec(top) is not None
        except (ImportError, ValueError):
            return top in sys.modules

    def split(self, dotted: str) -> tuple[str, Path, str] | None:
        """The longest module in a dotted name.

        :returns: its name, its file, and the names left over.
        """
        parts = dotted.split('.')
        for end in range(len(parts), 0, -1):
            name = '.'.join(parts[:end])
            file = self.file(name)
            if file is not None:
                return name, file, '.'.join(parts[end:])
        return None


def _below(folders: Sequence[Path], name: str) -> Path | None:
    for folder in folders:
        for file in (folder / name / '__init__.py', folder / f'{name}.py'):
            if file.is_file():
                return file
    return None


def _top(name: str) -> Path | None:
    try:
        # Of a name without dots this imports nothing.
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.has_location or not spec.origin:
        return None
    return Path(spec.origin)
