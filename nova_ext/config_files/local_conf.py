"""Read devstack's local.conf: variables, and sections for nova.conf."""

import re
from difflib import get_close_matches

from nova_ext.config_files import ini
from nova_ext.config_files.configuration import (
    Ignored,
    Layer,
    Unreadable,
    Value,
)
from nova_ext.core.base.finding import Location

_HEADER = re.compile(r'\[\[(?P<phase>[^|\]]+)\|(?P<file>[^\]]*)\]\]')
_VARIABLE = re.compile(r'\s*(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>.*)')
#: A header that devstack does not take for one.
_BROKEN_HEADER = re.compile(
    r'(?=.*[\[\]])\s*\[{0,2}\s*(?P<phase>[a-z_-]+)\s*[|\s]\s*'
    r'(?P<file>localrc|[$/][^\]\s]*)\s*\]{0,2}\s*$'
)
#: Phases whose sections are merged into nova.conf.
_PHASES = ('post-config', 'extra', 'post-extra')
#: All that devstack has.
_ALL_PHASES = (
    'local', 'override-defaults', 'pre-install', 'install', *_PHASES,
    'test-config',
)


def is_local_conf(lines: list[str]) -> bool:
    """Say whether lines have a header that only a local.conf has."""
    return any(map(_read_header, lines))


def read(path: str, lines: list[str]) -> Layer:
    """Return the values that a local.conf sets in nova.conf.

    devstack applies its sections after the plugins, and they replace what
    the plugins wrote.
    """
    layer = Layer(path, replaces=True)
    phase, file, begin = '', '', 0
    for number, line in enumerate([*lines, '[[|]]']):
        header = _read_header(line) or line == '[[|]]'
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
            if header.re is _HEADER:
                _check_header(layer, number + 1, phase, file)
            else:
                layer.unreadable.append(Unreadable(
                    Location(path, number + 1), 'devstack takes the line for '
                    'no header, and does not read what stands below it',
                    f'write [[{phase}|{file}]]',
                ))
    return layer


def _read_header(line: str) -> re.Match[str] | None:
    """Return the match of a header, also of one that lacks a bracket."""
    broken = _BROKEN_HEADER.match(line)
    return _HEADER.match(line) or (
        broken if broken and broken['phase'] in _ALL_PHASES else None
    )


def _check_header(layer: Layer, line: int, phase: str, file: str) -> None:
    """Find a header that devstack passes over."""
    name = phase.strip()
    if name not in _ALL_PHASES:
        why = f'has no phase {name}'
    elif (name, file.strip()) != (phase, file):
        why = 'takes blanks for a part of the phase or the file'
    else:
        return
    close = get_close_matches(name, _ALL_PHASES, 1)
    fix = f'write [[{close[0]}|{file.strip()}]]' if close else (
        f'write one of the phases {", ".join(_ALL_PHASES)}'
    )
    layer.ignored.append(Ignored(
        Location(layer.path, line),
        f'devstack {why}, so it does not read this section', fix,
    ))


def _is_nova_conf(file: str) -> bool:
    variables = ('$NOVA_CONF', '${NOVA_CONF}', '/$NOVA_CONF')
    return file.strip('"') in variables or file.endswith('/nova.conf')


def _read_variables(layer: Layer, lines: list[str], offset: int) -> None:
    for number, line in enumerate(lines, offset + 1):
        match = _VARIABLE.match(line)
        if match:
            layer.variables[match['name']] = Value(
                match['value'].strip('"\''), Location(layer.path, number)
            )
