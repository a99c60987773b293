"""Time whole requests: Nova's select_destinations, without and with a mirror.

Nova, placement and their databases (SQLite) are in one process, without HTTP,
so that placement's part is smaller than in a cloud. Both claim in placement,
turn by turn, one server a request, for the same hosts. Run it with
``tox -e bench`` or ``python -m tests.bench.select``.
"""

import statistics
import sys
import time
import unittest

import fixtures

import tests.functional  # noqa: F401  before all of Nova

# isort: split
from nova import context as nova_context
from nova import objects
from nova.scheduler import manager as nova_manager
from oslo_utils import uuidutils

from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror import mirror
from tests.bench import crowd
from tests.functional import base

SIZES = (100, 1_000)
ROUNDS = 7


class SelectBench(base.CloudTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)
    available_filters = (base.STOCK_FILTERS,)
    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )
    size = SIZES[0]

    def configure(self):
        """Let the mirror read as fast as it can, when the bench says so."""
        self.useFixture(fixtures.MockPatchObject(
            mirror, 'PLACEMENT_SHARE', 1
        ))
        self.flags(service_down_time=3600)
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )

    def runTest(self):  # noqa: N802  unittest's name
        """Print the medians, and their ratio."""
        server = self.boot()
        names = crowd.multiply('cmp', self.size)
        stock = nova_manager.SchedulerManager()
        for manager in (stock, self.scheduler):
            manager.host_manager._instance_info.update({
                name: {'instances': {}, 'updated': True} for name in names
            })
        self.scheduler._mirror.refresh()
        took = {'stock': [], 'mirror': []}
        for turn in range(ROUNDS + 1):
            for name, manager in (
                ('stock', stock), ('mirror', self.scheduler),
            ):
                spent = self.time_one(manager, server['id'])
                if turn:  # the first one fills caches
                    took[name].append(spent)
        decisions = self.decisions()[-ROUNDS:]
        self.assertEqual([''] * ROUNDS, [
            decision.mirror.fallback for decision in decisions
        ])
        self.assertEqual({self.size}, {
            decision.attempts[0].hosts_in for decision in decisions
        })
        times = statistics.median(took['stock']) / statistics.median(
            took['mirror']
        )
        stages = ', '.join(
            f'{name} {_find_median_ms(decisions, name):.1f}'
            for name in decisions[-1].stages
        )
        print(
            f'{self.size:6} hosts, one server, claimed in placement: stock '
            f'{_describe(took["stock"])}, mirror '
            f'{_describe(took["mirror"])}: {times:.1f}×; '  # noqa: RUF001
            f'of the mirror\'s, ms: {stages}', flush=True,
        )

    def time_one(self, manager, server):
        """Place a server that does not exist; return the seconds."""
        admin = nova_context.RequestContext(
            'admin', 'project', is_admin=True
        )
        spec = objects.RequestSpec.get_by_instance_uuid(admin, server)
        spec.instance_uuid = uuid = uuidutils.generate_uuid()
        spec.requested_resources = []  # the conductor sets them
        began = time.perf_counter()
        ((selection, *_),) = manager.select_destinations(
            admin, spec_obj=spec, instance_uuids=[uuid],
            return_objects=True, return_alternates=True,
        )
        spent = time.perf_counter() - began
        self.assertTrue(selection.service_host.startswith('cmp'))
        recorder.get().flush(60)
        manager._cleanup_allocations(admin, [uuid])
        return spent


def _find_median_ms(decisions, stage):
    return 1000 * statistics.median(
        decision.stages.get(stage, 0.0) for decision in decisions
    )


def _describe(seconds):
    low, high = min(seconds) * 1000, max(seconds) * 1000
    median = statistics.median(seconds) * 1000
    return f'{median:.0f} ms ({low:.0f} to {high:.0f})'


def main():
    """Run all sizes.

    :returns: the exit status.
    """
    suite = unittest.TestSuite()
    for size in SIZES:
        suite.addTest(type(f'Select{size}', (SelectBench,), {'size': size})())
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main())
