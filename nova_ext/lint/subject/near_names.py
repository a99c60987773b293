"""Find the class or function that a wrong dotted path probably means."""

from collections.abc import Iterator
from pathlib import Path

from nova_ext.lint.subject.known_names import find_closest
from nova_ext.source_code.module import Module
from nova_ext.source_code.module_finder import Finder
from nova_ext.source_code.plugin_source import BrokenError, Reader

#: Files of a package that are looked through.
_MOST = 300


def find_near(dotted: str, reader: Reader) -> str:
    """Return the dotted path that is closest to a wrong one; empty: none.

    A class of the same name elsewhere in its package comes first, then one
    whose name is a typo away. One that only looks alike may do the contrary.
    """
    top = _find_top(dotted.partition('.')[0], reader.finder)
    # Of Nova's own modules the checks know the names.
    if top in ('', 'nova'):
        return ''
    there = [
        f'{module.name}.{name}' for module in list_modules(top, reader)
        for name in (*module.classes, *module.functions)
        if not name.startswith('_')
    ]
    by_name: dict[str, list[str]] = {}
    for path in there:
        by_name.setdefault(path.rpartition('.')[2], []).append(path)
    close = find_closest(dotted.rpartition('.')[2], by_name)
    if close is None:
        return ''
    return max(
        by_name[close],
        key=lambda path: len(set(path.split('.')) & set(dotted.split('.'))),
    )


def _find_top(name: str, finder: Finder) -> str:
    """Return the package that a path begins with, or one of like name."""
    if finder.exists(name):
        return name
    there = {
        path.stem for folder in finder.folders for path in folder.glob('*')
        if path.suffix == '.py' or any(path.glob('*.py'))
    }
    return find_closest(name, there) or ''


def list_modules(top: str, reader: Reader) -> Iterator[Module]:
    """Generate the modules of a package, as far as they can be read."""
    finder = reader.finder
    file = finder.find_file(top)
    named = {top: file} if file and file.name != '__init__.py' else {}
    for folder in finder.find_folders(top):
        for path in sorted(folder.rglob('*.py'))[:_MOST]:
            named.setdefault(_name(top, folder, path), path)
    for name, path in named.items():
        try:
            yield reader.read_module(name, path)
        except BrokenError:
            continue


def _name(top: str, folder: Path, path: Path) -> str:
    parts = path.relative_to(folder).with_suffix('').parts
    return '.'.join((top, *(part for part in parts if part != '__init__')))
