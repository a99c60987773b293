"""Find metadata of a request, and of the hosts it got, that nothing reads."""

from collections.abc import Iterable, Mapping, Set
from typing import Any

from nova_ext.nova_releases import metadata_readers
from nova_ext.nova_releases.metadata_readers import MetadataReaders, Unread
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_states import NamedHosts
from nova_ext.scheduler.trace.trace import Trace

#: Maximum number of keys to list for a flavor, an image or an aggregate.
MAX_KEYS = 10


def mark(closed: Trace) -> None:
    """Add to a decision what is said of keys that no enabled filter reads."""
    names = {
        hosts[0].partition('/')[0] for hosts in closed.decision.chosen.values()
    }
    states = closed.host_states
    chosen = list_named(states, names) if names else ()
    closed.decision.unread_metadata = find_unread(closed.spec, states, chosen)


def list_named(hosts: Iterable[Any], names: Set[str]) -> list[Any]:
    """Return the host states of some names."""
    if isinstance(hosts, NamedHosts):
        return hosts.list_named(names)
    return [host for host in hosts if host.host in names]


def find_unread(
    spec: Any, hosts: Iterable[Any], chosen: Iterable[Any]
) -> dict[str, list[str]]:
    """Return sentences by ``flavor``, ``image`` and ``aggregates``.

    :param hosts: host states that Nova began with.
    :param chosen: those that servers got.
    """
    readers = _read_configuration()
    specs = spec.flavor.extra_specs
    texts = {
        'flavor': _list_texts(
            readers.check_flavor(specs, _list_reported(specs, hosts))
        ),
        'image': _list_texts(readers.check_image(_get_properties(spec))),
        'aggregates': [
            f'{aggregate.name}: {text}'
            for aggregate in {
                each.uuid: each for host in chosen for each in host.aggregates
            }.values()
            for text in _list_texts(
                one for one in readers.check_aggregate(aggregate.metadata)
                if not _is_for(spec, aggregate.metadata, one)
            )
        ],
    }
    return {name: listed for name, listed in texts.items() if listed}


def _list_reported(specs: Iterable[str], hosts: Iterable[Any]) -> list[str]:
    """Return the extra specs that host states have, too."""
    host = next(iter(hosts), None)
    return [
        key for key in specs
        if hasattr(host, key) or key in (getattr(host, 'stats', None) or ())
    ]


def _read_configuration() -> MetadataReaders:
    conf = options.CONF
    return MetadataReaders(conf.filter_scheduler.enabled_filters, [
        name for group, names in (
            ('scheduler', metadata_readers.OPTIONS),
            ('filter_scheduler', [metadata_readers.PCI_IN_PLACEMENT]),
        ) for name in names if conf[group][name]
    ])


def _list_texts(unread: Iterable[Unread]) -> list[str]:
    return [one.text for one in unread][:MAX_KEYS]


def _get_properties(spec: Any) -> dict[str, str]:
    image = spec.image if 'image' in spec else None
    if image is None or 'properties' not in image:
        return {}
    properties = image.properties
    return {
        name: str(getattr(properties, name))
        for name in getattr(properties, 'fields', ()) if name in properties
    }


def _is_for(spec: Any, metadata: Mapping[str, str], one: Unread) -> bool:
    """Say whether an aggregate is the own project's."""
    return one.key.startswith(metadata_readers.TENANT_KEY) and (
        spec.project_id in map(str.strip, metadata[one.key].split(','))
    )
