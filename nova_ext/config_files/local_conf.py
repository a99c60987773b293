"""devstack's local.conf: variables, and sections merged into nova.conf."""

import re

from nova_ext.config_files import ini
from nova_ext.config_files.configuration import Layer, Value
from nova_ext.core.base.finding import Place

_HEADER = re.compile(r'\[\[(?P<phase>[^|\]]+)\|(?P<file>[^\]]*)\]\]')
_VARIABLE = re.compile(r'\s*(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>.*)')
_PHASES = ('post-config', 'extra', 'post-extra')


def is_one(lines: list[str]) -> bool:
    """Whether lines are those of a local.conf."""
    return any(_HEADER.match(line) for line in lines)


def read(path: str, lines: list[str]) -> Layer:
    """What a local.conf does to nova.conf.

    Its sections are applied after the plugins, and replace what the plugins
    wrote.

    :raises UnreadableError: for a line that oslo.config can't read.
    """
    layer = Layer(path, replaces=True)
    phase, file, begin = '', '', 0
    for number, line in enumerate([*lines, '[[|]]']):
        header = _HEADER.match(line) or line == '[[|]]'
        if not header:
            continue
        part = lines[begin:number]
        if phase in _PHASES and _is_nova(file):
            ini.fill(layer, part, begin)
        elif (phase, file) == ('local', 'localrc'):
            _variables(layer, part, begin)
        begin = number + 1
        if isinstance(header, re.Match):
            phase, file = header['phase'], header['file']
    return layer


def _is_nova(file: str) -> bool:
    return file.strip('"') in ('$NOVA_CONF', '${NOVA_CONF}') or (
        file.endswith('/nova.conf')
    )


def _variables(layer: Layer, lines: list[str], before: int) -> None:
    for number, line in enumerate(lines, before + 1):
        found = _VARIABLE.match(line)
        if found:
            layer.variables[found['name']] = Value(
                found['value'].strip('"\''), Place(layer.path, number)
            )
