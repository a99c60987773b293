"""Time how long it takes to ask how many more servers fit on 10,000 hosts.

Nova's own code gathers the hosts, and then a mirror has them. All of it is
asked, over oslo.messaging, of a scheduler with Nova's databases
and placement in one process, on SQLite. Run it with ``tox -e bench`` or
``python -m tests.bench.capacity``.
"""

import sys
import time
import unittest

import fixtures

import tests.bench.untraced  # noqa: F401  before all of Nova
from nova_ext import client
from nova_ext.client.connection import TIMEOUT_S
from nova_ext.core.decision.fallback import Fallback
from nova_ext.engine import fill as engine
from tests.bench import crowd
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc import what_if

HOSTS = 10_000
#: A question takes at most so many times what deciding one boot takes.
MOST_TIMES = 1.3


class CapacityBench(what_if.WhatIfTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)

    def configure(self):
        """Let a boot see all hosts, without heartbeats."""
        super().configure()
        self.useFixture(RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600,
        )
        self.flags(group='scheduler', max_placement_results=HOSTS)
        self.flags(service_down_time=3600)

    def runTest(self):  # noqa: N802  unittest's name
        """Simulate a boot, which is Nova's own work; ask for the capacity."""
        mirror = self.scheduler._mirror
        mirror.refresh()
        # As compute services tell each scheduler; Nova queries for others.
        self.scheduler.host_manager._instance_info.update({
            host: {'instances': {}, 'updated': True}
            for host in crowd.multiply('cmp', HOSTS)
        })
        crowd.fill_file(mirror, self.placement)
        mirror.refresh()
        mirror.off = Fallback.DIFFERED
        self.program = client.SchedulerClient(what_if.URL, timeout_s=600)
        self.addCleanup(self.program.close)
        filling = self.time_filling()
        decided, simulated = _time(self.simulate)
        self.assertEqual(HOSTS, simulated.attempts[0].ranked_count)
        asked, room = _time(self.capacity)
        print(
            f'{HOSTS} hosts: {room.total.least} servers fit; counted in '
            f'{asked:.1f} s, {asked / decided:.2f} times the {decided:.1f} s '
            f'of deciding one boot; {filling.pop():.2f} s of it were filling'
        )
        self.assertLess(asked, MOST_TIMES * decided)
        # Who asks without saying how long to wait has an answer, too.
        self.assertLess(asked, TIMEOUT_S)
        mirror.off = None
        by_mirror_s, simulated = _time(self.simulate)
        self.assertEqual('', simulated.mirror.fallback)
        self.assertEqual(HOSTS, simulated.attempts[0].ranked_count)
        counted_s, again = _time(self.capacity)
        self.assertEqual('', again.decision.mirror.fallback)
        self.assertEqual(room.total, again.total)
        print(
            f'by the mirror counted in {counted_s:.2f} s, '
            f'{filling.pop():.2f} s of it filling; one boot simulated in '
            f'{by_mirror_s:.2f} s'
        )

    def time_filling(self):
        """Return a list to which each filling adds its seconds."""
        filling, fill = [], engine.fill

        def timed(*args):
            began = time.monotonic()
            result = fill(*args)
            filling.append(time.monotonic() - began)
            return result

        self.useFixture(
            fixtures.MonkeyPatch('nova_ext.engine.fill.fill', timed)
        )
        return filling


def _time(ask):
    """Return the seconds that an answer takes, and the answer."""
    began = time.monotonic()
    answer = ask()
    return time.monotonic() - began, answer


def main():
    """Measure once.

    :returns: the exit status.
    """
    result = unittest.TextTestRunner().run(CapacityBench())
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main())
