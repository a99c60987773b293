"""Find the file of a module by its name, without importing anything."""

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
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

        A namespace package has no file.
        """
        return self._find(module)[0]

    def find_folders(self, module: str) -> list[Path]:
        """Return the folders in which a package's modules are."""
        return self._find(module)[1]

    def _find(self, module: str) -> tuple[Path | None, list[Path]]:
        """Return the file of a module, and the folders of a package.

        A dotted name is followed through folders: Python's own look-up
        would import the packages on the way.
        """
        top, *rest = module.split('.')
        if top == 'nova' and not self._use_nova:
            return None, []
        there = _below(self.folders, top)
        if there == (None, []):
            there = _top(top)
        for name in rest:
            there = _below(there[1], name)
        return there

    def exists(self, top: str) -> bool:
        """Say whether a top-level module is there, in whatever form."""
        if self._find(top) != (None, []):
            return True
        try:
            return importlib.util.find_spec(top) is not None
        except (ImportError, ValueError):
            return top in sys.modules

    def split(self, dotted: str) -> tuple[str, str] | None:
        """Split a dotted name behind the longest module in it.

        :returns: the name of the module or package, and the names left over.
        """
        parts = dotted.split('.')
        for end in range(len(parts), 0, -1):
            name = '.'.join(parts[:end])
            if self._find(name) != (None, []):
                return name, '.'.join(parts[end:])
        return None


def find_root(path: Path) -> Path:
    """Return the folder from which a file or package is imported.

    That of a folder without ``__init__.py`` is the folder itself.
    """
    folder = Path(os.path.abspath(path))  # noqa: PTH100  without ".."
    if not (path.is_dir() and not (path / '__init__.py').is_file()):
        folder = folder.parent
    while (folder / '__init__.py').is_file():
        folder = folder.parent
    return folder if path.is_absolute() else Path(os.path.relpath(folder))


def list_code(path: Path) -> Iterator[tuple[str, Path]]:
    """Generate a file, or the files in a folder, by the name of the module.

    Tests are left out.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100  without ".."
    files = [absolute]
    if path.is_dir():
        files = sorted(
            file for file in absolute.rglob('*.py')
            if not {'tests', '.tox', '.git'}
            & {*file.relative_to(absolute).parts}
            and file.name not in ('setup.py', 'conftest.py')
            and not file.name.startswith('test_')
        )
    root = find_root(path)
    base = Path(os.path.abspath(root))  # noqa: PTH100
    for file in files:
        within = file.relative_to(base)
        parts = within.with_suffix('').parts
        name = '.'.join(part for part in parts if part != '__init__')
        yield name, root / within


def _below(
    folders: Sequence[Path], name: str
) -> tuple[Path | None, list[Path]]:
    """Return a module's file, and a package's folders, as Python finds them.

    Folders of one name without ``__init__.py`` are one namespace package.
    """
    spaces = []
    for folder in folders:
        package = folder / name
        if (package / '__init__.py').is_file():
            return package / '__init__.py', [package]
        if (folder / f'{name}.py').is_file():
            return folder / f'{name}.py', []
        if package.is_dir():
            spaces.append(package)
    return None, spaces


def _top(name: str) -> tuple[Path | None, list[Path]]:
    try:
        # Of a name without dots this imports nothing.
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None, []
    if spec is None:
        return None, []
    folders = [Path(path) for path in spec.submodule_search_locations or ()]
    file = Path(spec.origin) if spec.has_location and spec.origin else None
    return file, folders
