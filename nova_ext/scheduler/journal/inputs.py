"""Tell what decisions depend on that the journal lacks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from nova_ext.core.base import offer_signature
from nova_ext.core.request import scheduler_hints
from nova_ext.nova_releases import plugins_and_options as novas
from nova_ext.scheduler.base import options
from nova_ext.scheduler.discovery import hint_readers
from nova_ext.weighers.owner_spread import OwnerSpreadWeigher

#: Nova's own, by path. They read the host state, the request spec and the
#: configuration.
_NOVAS = {
    f'{novas.FILTERS_PACKAGE}.{known.module}.{name}'
    for name, known in novas.FILTERS.items()
} | {
    f'{novas.WEIGHERS_PACKAGE}.{module}.{name}'
    for name, module in novas.WEIGHERS.items()
}
_IMAGE_WEIGHER = f'{novas.WEIGHERS_PACKAGE}.image_props.ImagePropertiesWeigher'
_COMPUTE_FILTER = f'{novas.FILTERS_PACKAGE}.compute_filter.ComputeFilter'
#: nova-ext's own, as well; those of ``_OURS`` read more.
_KNOWN = _NOVAS | {
    'nova_ext.drivers.filter.FilterScheduler',
    'nova_ext.filters.offer.OfferFilter',
    'nova_ext.filters.specified_host.SpecifiedHostFilter',
    'nova_ext.weighers.specified_host.SpecifiedHostWeigher',
}
_STATS_FILTER = 'nova_ext.filters.stats.StatsFilter'
_STATS_WEIGHER = 'nova_ext.weighers.stats.StatsWeigher'
_OWNER_WEIGHER = 'nova_ext.weighers.owner_spread.OwnerSpreadWeigher'
_STATS_PREFIX = 'stats:'
#: Its connections are masked. They say where its database is, and nothing of
#: hosts.
_CELL = 'requested_destination.cell.'
_OWNER_MULTIPLIER = b'owner_spread_weight_multiplier'


def counts_heartbeats() -> bool:
    """Say whether services report to Nova's database."""
    return bool(options.CONF.servicegroup_driver == 'db')


def list_unknown(
    plugins: Iterable[Any], spec: Mapping[str, Any],
    aggregates: Iterable[bytes],
) -> list[str]:
    """Return what filters, weighers and the driver read that is not kept.

    :param plugins: their classes, traced or not.
    :param spec: the request spec's primitive.
    :param aggregates: those of the hosts, packed.
    """
    reads: dict[str, Callable[[], str]] = {
        _IMAGE_WEIGHER: lambda:
            options.CONF.filter_scheduler.image_props_weight_multiplier
            and 'image properties of the hosts\' servers',
        _COMPUTE_FILTER: lambda: '' if counts_heartbeats()
            else 'which services were up: they do not report to the database',
        _STATS_FILTER: lambda: _find_stats(spec),
        _STATS_WEIGHER: lambda: _find_stats(spec),
        _OWNER_WEIGHER: lambda: _find_owners(aggregates),
    }
    missing = []
    for cls in plugins:
        plugin = getattr(cls, 'plugin_class', cls)
        path = hint_readers.get_path(plugin)
        if path in reads:
            missing.append(reads[path]())
        elif path not in _KNOWN:
            missing.append(
                f'what {plugin.__name__} reads: its inputs are unknown'
            )
    return [text for text in dict.fromkeys(missing) if text]


def _find_stats(spec: Mapping[str, Any]) -> str:
    """Return what is missing if a request requires stats."""
    data = spec['nova_object.data']
    flavor = (data.get('flavor') or {}).get('nova_object.data', {})
    wanted = any(
        name.startswith(_STATS_PREFIX) for name in (
            *(data.get('scheduler_hints') or ()),
            *(flavor.get('extra_specs') or ()),
        )
    )
    return 'stats that were pushed to the scheduler' if wanted else ''


def _find_owners(aggregates: Iterable[bytes]) -> str:
    """Return what is missing if servers of owners are counted."""
    used = options.for_plugin(OwnerSpreadWeigher)['weight_multiplier'] or any(
        _OWNER_MULTIPLIER in packed for packed in aggregates
    )
    return 'numbers of each owner\'s servers' if used else ''


def list_masked(
    places: Sequence[str], hints: Mapping[str, Any], plugins: Sequence[Any]
) -> list[str]:
    """Return which masked parts of a request may matter.

    :param places: where the request was masked, hints after ``hints.``.
    :param hints: the request's.
    """
    missing = []
    for place in places:
        if place.startswith(_CELL):
            continue
        scope, _, name = place.partition('.')
        if scope != 'hints':
            missing.append(f'{place} of the request, which is masked')
            continue
        unread = hint_readers.find_unread_hints([name], plugins)
        if unread is None or not unread:
            missing.append(f'hint {name}, which is masked')
    if offer_signature.HINT in hints and any(
        scheduler_hints.is_declared(
            offer_signature.HINT, hint_readers.get_hints(cls) or ()
        ) for cls in plugins
    ):
        missing.append('the secret that signs offers')
    return missing


def draws() -> bool:
    """Say whether Nova draws among hosts at all."""
    conf = options.CONF.filter_scheduler
    return bool(
        conf.host_subset_size > 1 or conf.shuffle_best_same_weighed_hosts
    )
