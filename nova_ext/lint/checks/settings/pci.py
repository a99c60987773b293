"""Check the JSON of [pci] device_spec and alias, also by their old names."""

import ast
import json
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

from nova_ext.config_files.configuration import Value
from nova_ext.lint.checks.settings.pci_addresses import (
    check_address,
    is_hexadecimal,
)
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject

REFUSED = Kind(
    'NX407', Severity.ERROR, 'a PCI device or alias that Nova can\'t read',
    'nova-scheduler parses device_spec for each host: with a wrong one '
    'every request fails with PciConfigInvalidSpec. nova-api and nova-compute '
    'parse alias: with a wrong one requests for PCI devices fail with '
    'PciInvalidAlias.',
    'write a JSON object, as Nova\'s reference of the option shows it',
    '[pci]\ndevice_spec = {\'vendor_id\': \'10de\'}',
)
UNREAD = Kind(
    'NX408', Severity.WARNING, 'a key of a PCI device that Nova does not read',
    'Nova takes a key of device_spec that it does not know for a tag of the '
    'operator\'s. What was meant does not hold for the device: without '
    'vendor_id and address, every device matches.',
    'write the key as Nova\'s reference of device_spec has it',
    '[pci]\ndevice_spec = {"vendorid": "10de"}',
)
KINDS = (REFUSED, UNREAD)

_PLACEMENT = ('filter_scheduler', 'pci_in_placement')
_REPORT = ('pci', 'report_in_placement')
_SPEC, _ALIAS = 'device_spec', 'alias'
#: Every name of the two options that Nova reads.
_NAMES = {
    ('pci', 'device_spec'): _SPEC,
    ('pci', 'passthrough_whitelist'): _SPEC,
    ('DEFAULT', 'pci_passthrough_whitelist'): _SPEC,
    ('pci', 'alias'): _ALIAS,
    ('DEFAULT', 'pci_alias'): _ALIAS,
}
_TRUE = '1|t|true|on|y|yes'
_FLAG = f'{_TRUE}|0|f|false|off|n|no'
#: What each key of an alias may be, as a pattern; empty: any text.
_ALIAS_KEYS = {
    'name': '.{1,256}', 'vendor_id': '[0-9a-fA-F]{4}',
    'product_id': '[0-9a-fA-F]{4}', 'capability_type': 'pci',
    'device_type': 'type-PCI|type-PF|type-VF',
    'numa_policy': 'required|preferred|legacy|socket', 'resource_class': '',
    'traits': '', 'live_migratable': f'(?i:{_FLAG})',
}
#: A key that Nova 31 does not read.
_ONE_TIME = 'one_time_use'
#: Keys of a device that Nova reads, and Neutron's. Any other is a tag.
_SPEC_KEYS = frozenset({
    'vendor_id', 'product_id', 'address', 'devname', 'physical_network',
    'remote_managed', 'trusted', 'managed', 'live_migratable', _ONE_TIME,
    'resource_class', 'traits',
})
_FLAGS = ('managed', 'live_migratable', _ONE_TIME)
#: What people write for a key of Nova's, and it is more than a typo away.
_SHORT = {
    'vendor': 'vendor_id', 'product': 'product_id',
    'physnet': 'physical_network', 'phys_network': 'physical_network',
    'phys_net': 'physical_network', 'dev_name': 'devname',
    'pci_address': 'address',
}


def run(subject: Subject) -> Iterator[LintFinding]:
    """Parse each value, and compare it with what Nova accepts."""
    aliases: dict[str, dict[str, str]] = {}
    for name, value in subject.configuration.settings():
        kind = _NAMES.get(name)
        if kind is None or value.templated or not value.text.strip():
            continue
        title = f'[{name[0]}] {name[1]}'
        try:
            content = json.loads(value.text)
        except json.JSONDecodeError as error:
            content = _read_python(value.text)
            yield REFUSED.at(
                value.location,
                f'{title} is no JSON: {error.msg}{_find_place(value, error)}',
                f'write {name[1]} = {json.dumps(content)}' if content else '',
            )
        problem, _, fix = (
            _check(subject, kind, content)
            or _compare(aliases, kind, content, _is_on(subject, *_PLACEMENT))
        ).partition('; ')
        if content is not None and problem:
            yield REFUSED.at(
                value.location, f'{title}: {problem}',
                fix or 'correct it as Nova\'s reference of the option shows',
            )
        if kind == _SPEC:
            yield from (
                UNREAD.at(
                    value.location,
                    f'{title}: Nova takes "{key}" for a tag of yours',
                    fix,
                ) for key, fix in _list_unread(content, _list_keys(subject))
            )


def _find_place(value: Value, error: json.JSONDecodeError) -> str:
    """Say where in its file a mistake is."""
    line = value.location.line + error.lineno - 1
    written = value.text.split('\n')[error.lineno - 1]
    lines = Path(value.location.file).read_text(errors='replace').splitlines()
    lead = lines[line - 1].find(written) if line <= len(lines) else -1
    return f', on line {line}, column {error.colno + max(lead, 0)}'


def _read_python(text: str) -> Any:
    """Return what a literal of Python says; None: it is none either."""
    try:
        content = ast.literal_eval(' '.join(text.split()))
        return json.loads(json.dumps(content))
    except (ValueError, SyntaxError, TypeError):
        return None


def _check(subject: Subject, kind: str, content: Any) -> str:
    """Return why Nova refuses an option's content; empty: it does not."""
    if kind == _ALIAS:
        return _check_alias(content, _is_on(subject, *_PLACEMENT))
    for spec in content if isinstance(content, list) else [content]:
        problem = _check_spec(
            spec, _list_keys(subject), _is_on(subject, *_REPORT)
        )
        if problem:
            return problem
    return ''


def _is_on(subject: Subject, group: str, option: str) -> bool:
    """Say whether a flag is, or may be, true."""
    value = subject.configuration.last(group, option)
    return value is not None and (
        value.templated or value.text.lower() in ('true', '1', 'on', 'yes')
    )


def _compare(
    aliases: dict[str, dict[str, str]], kind: str, alias: Any,
    is_in_placement: bool,
) -> str:
    """Return why Nova refuses an alias beside an earlier one of its name.

    :param aliases: those before, by name; this one is added.
    """
    if kind != _ALIAS or not isinstance(alias, dict):
        return ''
    name = alias['name'].strip()
    first = aliases.setdefault(name, alias)
    types = first.get('device_type'), alias.get('device_type')
    if first is alias:
        return ''
    if is_in_placement:
        return (
            f'{name} is there twice, and pci_in_placement takes one device '
            f'by name; give each a name of its own'
        )
    if first.get('numa_policy', 'legacy') != alias.get(
        'numa_policy', 'legacy'
    ):
        return (
            f'{name} is there twice, with two values of "numa_policy"; write '
            'one value in both'
        )
    return '' if types[0] == types[1] and types[0] else (
        f'{name} is there twice, and not with one "device_type"; write the '
        'same "device_type" in both'
    )


def _check_alias(alias: Any, is_in_placement: bool) -> str:
    if not isinstance(alias, dict):
        return 'an alias is an object, {"name": …}'
    for key, value in alias.items():
        pattern = _ALIAS_KEYS.get(key)
        if pattern is None:
            meant = find_closest(key, _ALIAS_KEYS)
            return f'an alias has no "{key}"' + (
                f'; write "{meant}"' if meant else ''
            )
        if not isinstance(value, str):
            return f'"{key}" is no text; write its value in quotes'
        if pattern and not re.fullmatch(pattern, value, re.DOTALL):
            meant = find_closest(value, pattern.split('|'))
            return f'"{key}" is {value}, and not {_describe(pattern)}' + (
                f'; write "{meant}"' if meant else f'; correct "{key}"'
            )
    if 'name' not in alias:
        return 'the alias has no "name"'
    if {'vendor_id', 'product_id'} <= alias.keys() or (
        is_in_placement and 'resource_class' in alias
    ):
        return ''
    return f'the alias {alias["name"]} lacks vendor_id or product_id'


def _describe(pattern: str) -> str:
    if '{4}' in pattern:
        return 'four hexadecimal digits'
    if _FLAG in pattern:
        return 'true or false'
    if pattern.startswith('.'):
        return 'of 1 to 256 letters'
    return f'one of {pattern.replace("|", ", ")}'


def _list_keys(subject: Subject) -> frozenset[str]:
    """Return the keys that the installed Nova reads, or a recent one."""
    file = subject.reader.finder.find_file('nova.pci.devspec')
    if file is not None and _ONE_TIME not in file.read_text():
        return _SPEC_KEYS - {_ONE_TIME}
    return _SPEC_KEYS


def _check_spec(spec: Any, keys: Set[str], is_reported: bool) -> str:
    if not isinstance(spec, dict):
        return 'a device is an object, {"vendor_id": …}'
    for key in ('vendor_id', 'product_id'):
        number = spec.get(key, '*')
        if not isinstance(number, str):
            return f'"{key}" is no text; write its value in quotes'
        if number.strip() != '*' and not is_hexadecimal(number, 0xffff):
            return f'"{key}" is {number}, and not four hexadecimal digits'
    if spec.get('address') and spec.get('devname'):
        return 'a device has an address or a devname, and not both'
    flags = {flag: spec.get(flag) for flag in _FLAGS if flag in keys}
    for flag, value in flags.items():
        if value is not None and not re.fullmatch(
            _FLAG, str(value).strip().lower()
        ):
            return f'"{flag}" is {value}, and not true or false'
    if not is_reported and re.fullmatch(
        _TRUE, str(flags.get(_ONE_TIME)).strip().lower()
    ):
        return (
            '"one_time_use" needs placement; write report_in_placement = true '
            'below [pci]'
        )
    return check_address(spec.get('address'))


def _list_unread(content: Any, keys: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield keys that are meant for Nova, each with what to do."""
    for spec in content if isinstance(content, list) else [content]:
        for key in spec if isinstance(spec, dict) else ():
            meant = _SHORT.get(key) or find_closest(key, keys - spec.keys())
            if key in _SPEC_KEYS - keys:
                yield key, 'remove it, or install a later Nova, which reads it'
            elif key not in keys and meant:
                yield key, f'write "{meant}"'
