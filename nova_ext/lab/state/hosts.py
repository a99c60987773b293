"""Parse the fake computes of a lab from ``--computes``."""

import dataclasses
import re
from collections.abc import Sequence

from nova_ext.lab.state.errors import LabError

DEFAULT = ('cmp-1', 'cmp-2', 'cmp-3', 'doc-1', 'ops-1', 'dev-1')

_NAME = re.compile(r'[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?')
_MAX_HOSTS = 1000
_FORM = 'NAME[:vcpus=N,ram_mb=N,disk_gb=N,az=NAME]'


@dataclasses.dataclass(frozen=True)
class LabHost:
    """Describe one fake compute.

    :param name: its host name, as Nova shows it.
    :param vcpus: virtual CPUs.
    :param ram_mb: memory in MiB.
    :param disk_gb: disk in GiB.
    :param az: availability zone; None is Nova's default zone.
    """

    name: str
    vcpus: int = 64
    ram_mb: int = 262144
    disk_gb: int = 4096
    az: str | None = None


def parse(words: Sequence[str]) -> list[LabHost]:
    """Parse the words behind ``--computes``.

    :param words: one number, or names with optional sizes; names without
        sizes may share a word, divided by commas.
    :returns: the hosts, in that order.
    :raises LabError: for a word of another form.
    """
    if len(words) == 1 and words[0].isdigit():
        return _number_hosts(int(words[0]))
    parts = [
        part
        for word in words
        for part in ([word] if ':' in word else word.split(','))
    ]
    hosts = [_parse_host(part) for part in parts]
    seen: set[str] = set()
    for host in hosts:
        if host.name.lower() in seen:
            raise LabError(f'--computes: {host.name} is named twice')
        seen.add(host.name.lower())
    if len(hosts) > _MAX_HOSTS:
        raise LabError(f'--computes: at most {_MAX_HOSTS} computes')
    return hosts


def _number_hosts(count: int) -> list[LabHost]:
    if not 1 <= count <= _MAX_HOSTS:
        raise LabError(
            f'--computes {count}: between 1 and {_MAX_HOSTS} computes'
        )
    return [LabHost(f'cmp-{number}') for number in range(1, count + 1)]


def _parse_host(word: str) -> LabHost:
    name, _, sizes = word.partition(':')
    if not _NAME.fullmatch(name) or name.isdigit():
        raise LabError(
            f'--computes {word}: {name or "nothing"} is no host name; '
            f'give one number, or {_FORM} for each host'
        )
    values: dict[str, int | str] = {}
    for pair in filter(None, sizes.split(',')):
        key, _, value = pair.partition('=')
        if key in values:
            raise LabError(f'--computes {word}: {key} is given twice')
        values[key] = _parse_value(word, key, value)
    return LabHost(name, **values)  # type: ignore[arg-type]


def _parse_value(word: str, key: str, value: str) -> int | str:
    if key == 'az':
        if not value or ':' in value:
            raise LabError(f'--computes {word}: az needs a name without ":"')
        return value
    if key not in ('vcpus', 'ram_mb', 'disk_gb'):
        raise LabError(
            f'--computes {word}: unknown property {key or "nothing"}; '
            'available: vcpus, ram_mb, disk_gb, az'
        )
    if not value.isdecimal() or not 0 < int(value) < 2**31:
        raise LabError(
            f'--computes {word}: {key} needs a whole number of at least 1'
        )
    return int(value)
