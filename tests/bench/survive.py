"""Time the loss of each host of a cloud, one by one.

The engine decides from a mirror's snapshot, and Nova's code decides one of
these losses for comparison. All of it is asked, over oslo.messaging, of a
scheduler with Nova's databases and placement in one process, on SQLite. Run it
with ``tox -e bench`` or ``python -m tests.bench.survive``; ``--quick`` has
1,000 hosts alone.
"""

import logging
import sys
import time
import unittest

import fixtures

import tests.bench.untraced  # noqa: F401  before all of Nova
from nova_ext import client
from nova_ext.core.decision.fallback import Fallback
from nova_ext.core.rpc.rehearsal import MoveOutcome
from tests.bench import crowd, server_rows
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc import what_if

#: Numbers of hosts, and seconds of the processor that their losses may take.
SIZES = {1_000: 60, 10_000: 900}
SERVERS = 10
#: vCPUs and MiB of the servers.
SHAPES = ((1, 2048), (2, 4096), (4, 8192), (2, 8192), (8, 16384))
#: What a host has: room for 10 servers, and some more.
HOST = {'vcpus': 64, 'memory_mb': 131072, 'local_gb': 2000}


class SurviveBench(what_if.WhatIfTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)
    compute_driver = 'fake.FakeDriver'
    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )
    size = 1_000
    #: What the compute service has.
    host = HOST

    def configure(self):
        """Have the mirror read when it is asked, and a host that fills."""
        super().configure()
        self.useFixture(RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )
        self.flags(group='scheduler', max_placement_results=20_000)
        self.flags(service_down_time=7200, cpu_allocation_ratio=1.0)
        for name, value in self.host.items():
            self.useFixture(fixtures.MonkeyPatch(
                f'nova.virt.fake.FakeDriver.{name}', value
            ))

    def runTest(self):  # noqa: N802  unittest's name
        """Lose each host; then lose one by Nova's code."""
        logging.disable(logging.DEBUG)
        mirror = self.scheduler._mirror
        names = self.fill(mirror)
        self.program = client.SchedulerClient(what_if.URL, timeout_s=600)
        self.addCleanup(self.program.close)
        began, processor = time.monotonic(), time.process_time()
        losses = self.lose_each({name: [name] for name in names})
        took, used = time.monotonic() - began, time.process_time() - processor
        servers = sum(loss.servers for loss in losses)
        self.assertEqual(self.size * SERVERS, servers)
        self.assertEqual([], [loss for loss in losses if loss.undecided])
        lost = [loss for loss in losses if loss.no_host]
        print(
            f'{self.size} hosts, each lost alone: {servers} servers decided '
            f'by the engine in {took:.1f} s, {used:.1f} s of the processor; '
            f'{1000 * used / servers:.2f} ms each; after {len(lost)} losses '
            f'some find no host', flush=True,
        )
        # Of the processor: other work on the machine does not count.
        self.assertLess(used, SIZES[self.size])
        mine = next(loss for loss in losses if loss.lost == names[0])
        mirror.off = Fallback.DIFFERED
        processor = time.process_time()
        moves = self.program.rehearse(
            self.me, client.RehearsalRequest([names[0]], True)
        ).moves
        nova = (time.process_time() - processor) / len(moves)
        print(
            f'by Nova\'s code {len(moves)} servers of one host: '
            f'{1000 * nova:.0f} ms of the processor each, '
            f'{nova / (used / servers):.0f} times as much', flush=True,
        )
        if len(moves) == SERVERS:
            self.assertEqual(mine.back, sum(
                move.outcome == MoveOutcome.PLACED for move in moves
            ))
        self.assertFalse(any(move.by_engine for move in moves))

    def fill(self, mirror):
        """Make hosts and servers; return the hosts' names."""
        mirror.refresh()
        templates = [
            self.boot(flavorRef=self.create_flavor(self.flavor(
                vcpus=vcpus, memory_mb=memory_mb, root_gb=20
            )))['id'] for vcpus, memory_mb in SHAPES
        ]
        names = crowd.multiply('cmp', self.size + 1)
        servers, used = server_rows.add('cmp', names, server_rows.scatter(
            templates, names, SERVERS
        ))
        server_rows.report(self.scheduler.host_manager, {
            'cmp': templates, **servers
        })
        server_rows.fill_file(mirror, self.placement, used)
        snapshot = mirror.refresh()
        self.assertEqual(self.size + 1, len(snapshot.hosts))
        return names

    def lose_each(self, hosts):
        """Return each loss, as the command asks for them.

        :param hosts: of each loss, by its name.
        """
        losses, waiting = [], list(hosts)
        while waiting:
            answer = self.program.rehearse_losses(
                self.me, client.LossesRequest(
                    {name: hosts[name] for name in waiting[:1000]},
                    is_continued=bool(losses),
                )
            )
            self.assertEqual('', answer.reason)
            losses += answer.losses
            waiting = waiting[len(answer.losses):]
            print(f'{len(waiting)} losses remain', file=sys.stderr)
        return losses


def main(words):
    """Measure once each size.

    :returns: the exit status.
    """
    passed = True
    for size in SIZES:
        if size == min(SIZES) or '--quick' not in words:
            bench = SurviveBench()
            bench.size = size
            passed &= unittest.TextTestRunner().run(bench).wasSuccessful()
    return int(not passed)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
