"""Read devstack's local.conf: variables, and sections for nova.conf."""

import re

from nova_ext.config_files import ini
from nova_ext.config_files.configuration import Layer, Value
from nova_ext.core.base.finding import Location

_HEADER = re.compile(r'\[\[(?P<phase>[^|\]]+)\|(?P<file>[^\]]*)\]\]')
_VARIABLE = re.compile(r'\s*(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>.*)')
_PHASES = ('post-config', 'extra', 'post-extra')


def is_local_conf(lines: list[str]) -> bool:
    """Say whether lines have a header that only a local.conf has."""
    return any(_HEADER.match(line) for line in lines)


def read(path: str, lines: list[str]) -> Layer:
    """Return the values that a local.conf sets in nova.conf.

    devstack applies its sections after the plugins, and they replace what
    the plugins wrote.

    :raises UnreadableError: for a line that oslo.config can't read.
    """
    layer = Layer(path, replaces=True)
    phase, file, begin = '', '', 0
    for number, line in enumerate([*lines, '[[|]]']):
        header = _HEADER.match(line) or line == '[[|]]'
        if not header:
            continue
        section = lines[begin:number]
        if phase in _PHASES and _is_nova_conf(file):
            ini.parse_lines(layer, section, begin)
        elif (phase, file) == ('local', 'localrc'):
            _read_variables(layer, section, begin)
        begin = number + 1
        if isinstance(header, re.Match):
            phase, file = header['phase'], header['file']
    return layer


def _is_nova_conf(file: str) -> bool:
    return file.strip('"') in ('$NOVA_CONF', '${NOVA_CONF}') or (
        file.endswith('/nova.conf')
    )


def _read_variables(layer: Layer, lines: list[str], offset: int) -> None:
    for number, line in enumerate(lines, offset + 1):
        match = _VARIABLE.match(line)
        if match:
            layer.variables[match['name']] = Value(
                match['value'].strip('"\''), Location(layer.path, number)
            )
