"""Find the file of a module by its name, without importing anything."""

import importlib.util
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path


class Finder:
    """Find modules.

    :param folders: searched before Python's own path.
    :param use_nova: False: as if Nova were not installed.
    """

    def __init__(
        self, folders: Iterable[str] = (), use_nova: bool = True
    ) -> None:
        self.folders = [Path(folder) for folder in folders]
        self._use_nova = use_nova

    @cached_property
    def nova(self) -> bool:
        """Say whether Nova is installed here."""
        return self._use_nova and self.find_file('nova') is not None

    def find_file(self, module: str) -> Path | None:
        """Return the file of a module or package; None: there is none.

        A dotted name is followed through folders: Python's own look-up
        would import the packages on the way.
        """
        top, *rest = module.split('.')
        if top == 'nova' and not self._use_nova:
            return None
        file = _below(self.folders, top) or _top(top)
        for name in rest:
            if file is None or file.name != '__init__.py':
                return None
            file = _below([file.parent], name)
        return file

    def exists(self, top: str) -> bool:
        """Say whether a top-level module is there, in whatever form."""
        if _below(self.folders, top):
            return True
        try:
            return importlib.util.find_spec(top) is not None
        except (ImportError, ValueError):
            return top in sys.modules

    def split(self, dotted: str) -> tuple[str, str] | None:
        """Split a dotted name behind the longest module in it.

        :returns: the module's name, and the names left over.
        """
        parts = dotted.split('.')
        for end in range(len(parts), 0, -1):
            name = '.'.join(parts[:end])
            if self.find_file(name) is not None:
                return name, '.'.join(parts[end:])
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
