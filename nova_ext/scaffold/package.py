"""Writing a new package from templates, whole or not at all."""

import dataclasses
import tempfile
from pathlib import Path

import jinja2

from nova_ext.core.base import naming
from nova_ext.core.base.errors import NovaExtError
from nova_ext.scaffold import clashes
from nova_ext.scaffold.names import Names

#: Their folder; setuptools would take one without a hyphen for a package.
_TEMPLATES = 'package-templates'
#: Ending of a template's name, and the word in it that stands for the
#: module.
_ENDING = '.j2'
_MODULE = 'module'
#: Templates of every kind of package; those of one kind bear its name.
_COMMON = 'common'


def write(names: Names, parent: Path) -> Path:
    """Write a package into a new folder.

    :param names: what its parts are called.
    :param parent: the folder to make it in.
    :returns: the folder that was made.
    :raises NovaExtError: for a name that is taken, or a place that can't
        be written to; nothing is left behind then.
    """
    folder = parent / names.distribution
    clashes.refuse(names, folder)
    try:
        with tempfile.TemporaryDirectory(
            prefix=f'.{names.distribution}-', dir=parent
        ) as scratch:
            made = Path(scratch) / 'package'
            for path, text in _files(names):
                (made / path).parent.mkdir(parents=True, exist_ok=True)
                (made / path).write_text(text, encoding='utf-8')
            made.rename(folder)
    except OSError as error:
        raise NovaExtError(
            f'{folder} can\'t be written: {error.strerror}'
        ) from error
    return folder


def _files(names: Names) -> list[tuple[str, str]]:
    """Paths below the package's folder, and their text."""
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
        'multiplier_key': naming.multiplier_key(names.class_name),
    }
    return [
        (
            path.removesuffix(_ENDING).replace(_MODULE, names.module),
            templates.get_template(f'{room}/{path}').render(values),
        )
        for room, _, path in (
            name.partition('/') for name in templates.list_templates()
        )
        if room in (_COMMON, names.kind.name)
    ]
