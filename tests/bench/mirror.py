"""Time how long a mirror of 1,000 hosts takes to read, and to decide.

Nova's databases and placement are in one process, on SQLite. The mirror rests
not between placement's answers. Run it with ``tox -e bench`` or
``python -m tests.bench.mirror``.
"""

import sys
import time
import unittest

import fixtures

import tests.functional  # noqa: F401  before all of Nova
from nova_ext.scheduler.mirror import mirror as mirror_module
from tests.bench import crowd
from tests.functional import base

HOSTS = 1_000


class MirrorBench(base.CloudTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)
    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def configure(self):
        """Let a boot see all hosts, without heartbeats."""
        self.useFixture(fixtures.MockPatchObject(
            mirror_module, 'PLACEMENT_SHARE', 1
        ))
        self.flags(group='scheduler', max_placement_results=HOSTS)
        self.flags(group='nova_ext', mirror='verify', mirror_refresh_s=3600)
        self.flags(service_down_time=3600)

    def runTest(self):  # noqa: N802  unittest's name
        """Read all, then nothing new, then boot with it."""
        # As compute services tell each scheduler; Nova queries for others.
        self.scheduler.host_manager._instance_info.update({
            host: {'instances': {}, 'updated': True}
            for host in crowd.multiply('cmp', HOSTS)
        })
        loaded, _ = _time(self.scheduler._mirror.refresh)
        # The row of the one that runs changes each minute.
        refreshed, _ = _time(self.scheduler._mirror.refresh)
        self.boot()
        decision = self.decisions()[-1]
        self.assertEqual([], decision.mirror.differences)
        self.assertEqual(1, decision.mirror.compared)
        print(
            f'{HOSTS} hosts: loaded in {loaded:.0f} s, refreshed in '
            f'{refreshed:.2f} s. A verified boot agreed, in '
            f'{decision.seconds:.1f} s, of which '
            f'{decision.stages["weighers"]:.1f} s weighing and verifying',
            flush=True,
        )


def _time(action):
    began = time.monotonic()
    result = action()
    return time.monotonic() - began, result


def main():
    """Measure once.

    :returns: the exit status.
    """
    result = unittest.TextTestRunner().run(MirrorBench())
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main())
