"""Rename hosts, servers, projects and users in plain values.

Names are collected first, from the places where they stand alone. Then they
are replaced wherever they stand as words, so that what was equal stays equal.
Every UUID gets another one, whatever it names, and every IPv4 address.
"""

import itertools
import re
from collections.abc import Mapping
from typing import Any

from nova_ext.core.request.masking import SECRET

#: Keys under which names of hosts stand, and IDs of projects and users.
_KINDS = {
    **dict.fromkeys((
        'host', 'hosts', 'node', 'nodes', 'nodename', 'force_hosts',
        'force_nodes', 'ignore_hosts', 'hypervisor_hostname', 'requested_host',
        'isolated_hosts', 'query_host', 'hostname',
    ), 'host'),
    **dict.fromkeys(
        ('project_id', 'tenant_id', 'owner', 'projects'), 'project'
    ),
    'user_id': 'user', 'host_ip': 'address', 'my_ip': 'address',
}
#: Such metadata of an aggregate has IDs of projects, separated by commas.
_TENANT_KEY = 'filter_tenant_id'
#: Options that name code. Fields of Nova's objects keep their names, too.
_CODE = frozenset((
    'available_filters', 'enabled_filters', 'weight_classes',
    'scheduler_driver', 'compute_driver',
))
_OBJECT, _FIELDS = 'nova_object.', 'nova_object.data'
#: Keys of placement's answers, and of a service.
_STRUCTURE = frozenset((
    'allocations', 'resources', 'mappings', 'traits', 'capacity', 'used',
    'root_provider_uuid', 'parent_provider_uuid', 'up', 'binary', 'host',
    'uuid', 'version', 'disabled', 'disabled_reason', 'forced_down',
))

_UUID = re.compile(
    r'(?<!req-)(?<![0-9a-zA-Z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
    r'(?![0-9a-zA-Z])', re.IGNORECASE,
)
_ADDRESS = re.compile(r'(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])')
#: Addresses that name no machine.
_NO_MACHINE = re.compile(r'127\.|0\.0\.0\.0$|255\.|169\.254\.')
_WORD = re.compile(r'[^\W_]+')
#: Hosts in URLs, also in those that have several.
_URL_HOST = re.compile(r'(?:@|://)([\w.-]+)(?=[:/,?]|$)')
_LOCAL = frozenset(('localhost', '', SECRET))


class Scrubber:
    """Rename consistently; collect all names first."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}
        self._new: dict[str, str] = {}
        #: By a name's first word: its offset in names, and their lengths.
        self._shapes: dict[str, set[tuple[int, int]]] = {}
        self._known: dict[str, str] = {}
        self._requested: frozenset[str] = frozenset()
        #: As what hosts are added.
        self._host = 'host'
        self._uuids: dict[str, int] = {}
        self._addresses: dict[str, int] = {}

    def add(self, kind: str, name: Any) -> None:
        """Add a name.

        :param kind: ``host``, ``project``, ``user`` or ``address``;
            ``requested``: a host that is named by a request alone, which
            may be any word.
        :param name: anything but a text, or a UUID, is left out.
        """
        if isinstance(name, str) and name not in _LOCAL and not (
            _UUID.fullmatch(name) or _ADDRESS.fullmatch(name)
        ) and (kind != 'address' or ':' in name):
            self._names.setdefault(kind, set()).add(name)

    def collect_request(self, spec: Any) -> None:
        """Add the names that stand in a request spec."""
        self._host = 'requested'
        self.collect(spec)
        self._host = 'host'

    def collect(self, value: Any, kind: str = '') -> None:
        """Add the names that stand in a plain value under known keys.

        :param kind: of the texts in it; empty: they are no names.
        """
        if isinstance(value, Mapping):
            for key, each in value.items():
                if str(key).startswith(_TENANT_KEY) and isinstance(each, str):
                    each, inner = each.split(','), 'project'
                else:
                    inner = _KINDS.get(key, kind if key in (
                        _FIELDS, 'objects'
                    ) else '')
                self.collect(each, inner)
        elif isinstance(value, list | tuple):
            for each in value:
                self.collect(each, kind)
        elif isinstance(value, str) and '://' in value:
            for name in _URL_HOST.findall(value):
                self.add('host', name)
        elif kind:
            self.add(
                self._host if kind == 'host' else kind,
                value.strip() if isinstance(value, str) else value,
            )

    def begin(self) -> None:
        """Choose the new names; nothing is added any more."""
        hosts = self._names.setdefault('host', set())
        requested = self._names.pop('requested', set())
        self._requested = frozenset(requested - hosts)
        hosts |= requested
        for kind, names in self._names.items():
            prefix = kind
            while any(prefix in name for name in itertools.chain(
                *self._names.values()
            )):
                prefix += 'x'
            for number, name in enumerate(sorted(names), 1):
                self._new[name] = (
                    f'fd00::{number:x}' if kind == 'address'
                    else f'{prefix}-{number}'
                )
        for name in self._new:
            if word := _WORD.search(name):
                self._shapes.setdefault(word.group(), set()).add(
                    (word.start(), len(name))
                )

    def scrub(self, value: Any) -> Any:
        """Return a plain value with other names."""
        if isinstance(value, str):
            return self.scrub_text(value)
        if isinstance(value, list | tuple):
            return [self.scrub(each) for each in value]
        if not isinstance(value, Mapping):
            return value
        return {
            self._scrub_key(key): each
            if key in _CODE or _is_form(key)
            else self.scrub_values(each) if key == _FIELDS
            else self.scrub(each)
            for key, each in value.items()
        }

    def scrub_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with other names; their keys are no names."""
        return {
            name: value if name in _CODE else self.scrub(value)
            for name, value in values.items()
        }

    def scrub_options(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return options with other names.

        What a request alone calls a host may be any word of an option.
        """
        known, self._known = self._known, {}
        new = self._new
        self._new = {
            old: name for old, name in new.items()
            if old not in self._requested
        }
        try:
            return self.scrub_values(values)
        finally:
            self._known, self._new = known, new

    def scrub_text(self, text: str) -> str:
        """Return a text with other names."""
        known = self._known.get(text)
        if known is None:
            if len(self._known) > 1_000_000:
                self._known.clear()
            known = self._new.get(text) or _ADDRESS.sub(
                self._scrub_address,
                _UUID.sub(self._scrub_uuid, self._scrub_words(text)),
            )
            self._known[text] = known
        return known

    def _scrub_key(self, key: Any) -> Any:
        if not isinstance(key, str) or key in _STRUCTURE or key == _FIELDS or (
            _is_form(key)
        ):
            return key
        return self.scrub_text(key)

    def _scrub_words(self, text: str) -> str:
        parts, end = [], 0
        for word in _WORD.finditer(text):
            if word.start() < end:
                continue
            name, begin = self._find_name(text, word, end)
            if name:
                parts += [text[end:begin], self._new[name]]
                end = begin + len(name)
        return ''.join([*parts, text[end:]])

    def _find_name(
        self, text: str, word: re.Match[str], least: int
    ) -> tuple[str, int]:
        """Return the longest name that begins with a word, and where."""
        shapes = self._shapes.get(word.group(), ())
        for offset, length in sorted(shapes, key=lambda shape: -shape[1]):
            begin = word.start() - offset
            name = text[max(begin, 0):begin + length]
            if begin >= least and name in self._new and not (
                text[begin + length:begin + length + 1].isalnum()
            ):
                return name, begin
        return '', 0

    def _scrub_uuid(self, match: re.Match[str]) -> str:
        number = self._uuids.setdefault(
            match.group().lower(), len(self._uuids) + 1
        )
        return f'{number:08x}-0000-4000-8000-{number:012x}'

    def _scrub_address(self, match: re.Match[str]) -> str:
        if _NO_MACHINE.match(match.group()):
            return match.group()
        number = self._addresses.setdefault(
            match.group(), len(self._addresses) + 1
        )
        # Of RFC 2544: nobody's machines have them.
        return (
            f'198.{18 + (number >> 16 & 1)}.{number >> 8 & 255}.{number & 255}'
        )


def _is_form(key: Any) -> bool:
    """Say whether a key of a primitive names its class or version."""
    return str(key).startswith(_OBJECT) and key != _FIELDS
