"""Write a new package from templates, whole or not at all."""

import dataclasses
import importlib.util
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import jinja2

from nova_ext.core.base import naming
from nova_ext.core.base.entry_points import list_points
from nova_ext.core.base.errors import NovaExtError
from nova_ext.scaffold.names import PackageNames

#: Setuptools would take a folder without a hyphen for a package.
_TEMPLATES = 'package-templates'
#: The ending of a template's name, and the word in it for the module.
_ENDING = '.j2'
_MODULE = 'module'
#: Folder of the templates for every kind; others are named after a kind.
_COMMON = 'common'
#: The folder next to the module, and a package that it is installed with.
_RESERVED = ('tests', 'nova')


def write(names: PackageNames, parent: Path) -> Path:
    """Write a package into a new folder.

    :param parent: the folder to make it in.
    :returns: the new folder.
    :raises NovaExtError: for a name that is taken, or a folder that can't
        be written to; nothing is left behind then.
    """
    folder = parent / names.distribution
    if clash := _find_clash(names, folder):
        raise NovaExtError(f'{clash}; choose another name')
    try:
        with tempfile.TemporaryDirectory(
            prefix=f'.{names.distribution}-', dir=parent
        ) as scratch:
            draft = Path(scratch) / 'package'
            for path, text in _render(names):
                (draft / path).parent.mkdir(parents=True, exist_ok=True)
                (draft / path).write_text(text, encoding='utf-8')
            draft.rename(folder)
    except OSError as error:
        raise NovaExtError(
            f'{folder} can\'t be written: {error.strerror}'
        ) from error
    return folder


def _render(names: PackageNames) -> list[tuple[str, str]]:
    """Return paths below the package's folder, and their text."""
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader('nova_ext.scaffold', _TEMPLATES),
        # Python, TOML and reStructuredText, never HTML.
        autoescape=False,  # noqa: S701
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    values = {
        **{f.name: getattr(names, f.name) for f in dataclasses.fields(names)},
        'multiplier_key': naming.get_multiplier_key(names.class_name),
    }
    return [
        (
            path.removesuffix(_ENDING).replace(_MODULE, names.module),
            templates.get_template(f'{folder}/{path}').render(values),
        )
        for folder, _, path in (
            name.partition('/') for name in templates.list_templates()
        )
        if folder in (_COMMON, names.kind.name)
    ]


def _find_clash(names: PackageNames, folder: Path) -> str:
    """Return what has one of the names already; empty if nothing has."""
    if folder.exists() or folder.is_symlink():
        return f'{folder} exists already'
    if clash := _find_class(names) or _find_module(names.module):
        return clash
    try:
        metadata.distribution(names.distribution)
    except metadata.PackageNotFoundError:
        return ''
    return f'a package {names.distribution} is installed'


def _find_class(names: PackageNames) -> str:
    """Return the class that has the name, in any letter case."""
    kind = names.kind
    wanted = names.class_name.lower()
    for name in kind.novas:
        if name.lower() == wanted:
            return f'{name} is, or was, a {kind.name} of Nova\'s own'
    for point in list_points(kind.group):
        if point.name.lower() == wanted:
            brings = f' by {point.dist.name}' if point.dist else ''
            return f'a {kind.name} {point.name} is installed{brings}'
    return ''


def _find_module(module: str) -> str:
    if module in sys.stdlib_module_names:
        return f'Python\'s standard library has a module {module}'
    if module in _RESERVED or importlib.util.find_spec(module) is not None:
        return f'there is a Python module {module} already'
    return ''
