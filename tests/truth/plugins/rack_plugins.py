"""Provide filters and a weigher as another package would bring them.

Each acts on a hint alone: ``rack`` names a rack, ``raise`` the class that is
to raise, ``take`` hosts that are taken while the request is decided, ``odd``
and ``weigh`` what the odd filter and the weigher do.
"""

import time
import uuid

from nova.scheduler import filters, weights
from nova.scheduler.client import report

#: Hosts of each rack.
RACKS = {'west': ('c1', 'c2', 'c3'), 'east': ('c4', 'c5')}
#: Seconds for which a weigher runs that is not to end.
ENDLESS_S = 110


class RackFilter(filters.BaseHostFilter):
    """Pass hosts of the rack that hint ``rack`` names."""

    hint = 'rack'
    RUN_ON_REBUILD = False

    def host_passes(self, host_state, spec_obj):
        """Say whether the host is in the rack."""
        _raise_if_asked(self, spec_obj)
        self.prepare(host_state, spec_obj)
        rack = spec_obj.get_scheduler_hint(self.hint)
        return rack is None or host_state.host in RACKS.get(rack, ())


    def prepare(self, host_state, spec_obj):
        """Do nothing before."""


class LateRackFilter(RackFilter):
    """Do the same for hint ``late_rack``, and take hosts' room."""

    hint = 'late_rack'

    def prepare(self, host_state, spec_obj):
        """Take the host's room, if hint ``take`` names it."""
        taken = spec_obj.get_scheduler_hint('take') or ''
        if host_state.host in taken.split():
            _take(host_state)


class OddFilter(filters.BaseHostFilter):
    """Return hosts twice or another in place of one, or change something.

    Hint ``without`` names those that another one replaces.
    """

    def filter_all(self, filter_obj_list, spec_obj):
        """Return what hint ``odd`` wants."""
        hosts = list(filter_obj_list)
        odd = spec_obj.get_scheduler_hint('odd')
        if odd == 'twice':
            return [*hosts, *hosts]
        if odd == 'instead':
            names = spec_obj.get_scheduler_hint('without').split()
            kept = [host for host in hosts if host.host not in names]
            return [
                kept[0] if host.host in names else host for host in hosts
            ]
        if odd == 'count':
            for host in hosts:
                host.num_instances += 1
                host.free_ram_mb -= 1
        if odd == 'hint':
            spec_obj.scheduler_hints['late_rack'] = ['east']
        return hosts


class RackWeigher(weights.BaseHostWeigher):
    """Prefer the host that hint ``best`` names."""

    odd_weights = {'none': None, 'word': 'heavy', 'nan': float('nan')}  # noqa: RUF012

    def weigh_objects(self, weighed_obj_list, weight_properties):
        """Weigh all, or too few of them."""
        weights = super().weigh_objects(weighed_obj_list, weight_properties)
        odd = weight_properties.get_scheduler_hint('weigh')
        if odd == 'endless':
            time.sleep(ENDLESS_S)
            # The server is gone, and nothing is to be claimed for it.
            raise RuntimeError('it ended')
        return weights[:1] if odd == 'few' else weights

    def _weigh_object(self, host_state, weight_properties):
        _raise_if_asked(self, weight_properties)
        odd = weight_properties.get_scheduler_hint('weigh')
        if odd in self.odd_weights:
            return self.odd_weights[odd]
        best = weight_properties.get_scheduler_hint('best')
        return 100.0 if host_state.host == best else 0.0


def all_filters():
    """Return the filters that this package's line brings."""
    return [RackFilter]


def _raise_if_asked(plugin, spec):
    if spec.get_scheduler_hint('raise') == type(plugin).__name__:
        raise ValueError('the rack burns')


def _take(host_state):
    """Allocate all of a host's processors, as another request would."""
    client = report.report_client_singleton()
    path = f'/resource_providers/{host_state.uuid}'
    used = client.get(f'{path}/usages', version='1.39').json()['usages']
    inventory = client.get(f'{path}/inventories', version='1.39').json()[
        'inventories'
    ]['VCPU']
    left = int(inventory['total'] * inventory['allocation_ratio'])
    left -= used['VCPU']
    while left:
        part = min(left, inventory['max_unit'])
        left -= part
        client.put(f'/allocations/{uuid.uuid4()}', {
            'allocations': {host_state.uuid: {'resources': {'VCPU': part}}},
            'project_id': 'nobody', 'user_id': 'nobody',
            'consumer_generation': None, 'consumer_type': 'TAKEN',
        }, version='1.39')
