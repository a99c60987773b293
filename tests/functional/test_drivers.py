"""Small drivers as people write them, in a cloud."""

import random

from nova_ext.core.explanation.explain import explain
from nova_ext.core.request import model
from nova_ext.plugin import ComputeDriver, Ranking
from tests.functional import base


class LastByName(ComputeDriver):
    """Prefers the last host by name, and says what it was told."""

    told: list[list[str]] = []  # noqa: RUF012  read by the test

    def rank(self, hosts, request, context):
        """Order by name."""
        return Ranking(sorted(hosts, key=lambda h: h.host, reverse=True))

    def on_scheduled(self, hosts, request, context):
        """Keep what was chosen."""
        self.told.append(list(hosts))


class NoSecondHost(ComputeDriver):
    """Leaves out cmp-2."""

    def rank(self, hosts, request, context):
        """Narrow by name."""
        return Ranking(
            [h for h in hosts if h.host != 'cmp-2'], 'cmp-2 is resting'
        )


class StrangeHosts(ComputeDriver):
    """Returns a host that some other request was given."""

    kept = None

    def rank(self, hosts, request, context):
        """Mix requests up."""
        StrangeHosts.kept = StrangeHosts.kept or hosts[0]
        return Ranking([self.kept])


class Curious(ComputeDriver):
    """Reads every name that a plugin may read."""

    def rank(self, hosts, request, context):
        """Fail the request where a name is missing."""
        for thing, protocol in (
            (hosts[0], model.HostState), (request, model.RequestSpec),
            (request.flavor, model.Flavor),
            (context, model.RequestContext),
        ):
            for name in vars(protocol):
                if not name.startswith('_'):
                    getattr(thing, name)
        return Ranking(hosts)


class CuriousTest(base.CloudTestCase):
    """What arrives on each operation keeps the contract of plugins."""

    hosts = ('cmp-1', 'cmp-2')
    drivers = ('tests.functional.test_drivers:Curious',)

    def test_all_names(self):
        """On a boot, a move, a return and a rebuild."""
        server = self.boot({'requested_host': 'cmp-1'})
        self._migrate_server(server)
        self._confirm_resize(server)
        self._shelve_server(server)
        self._unshelve_server(server)
        self._rebuild_server(server, self.other_image(server))
        self.assertEqual(
            [('first boot', 'placed'), ('move', 'placed'),
             ('return', 'placed'), ('rebuild', 'placed')],
            [(made.operation, made.outcome) for made in self.decisions()],
        )


class PreferringTest(base.CloudTestCase):
    """A driver that orders."""

    drivers = ('tests.functional.test_drivers:LastByName',)

    def test_prefers(self):
        """Its first host is claimed, the others are alternates."""
        LastByName.told.clear()
        server = self.boot()
        self.assertEqual('cmp-3', self.host_of(server))
        (decision,) = self.decisions()
        self.assertEqual('LastByName', decision.by['driver'])
        self.assertEqual(
            ['cmp-3', 'cmp-2', 'cmp-1'], decision.chosen[server['id']]
        )
        self.assertEqual([['cmp-3']], LastByName.told)


class NarrowingTest(base.CloudTestCase):
    """A driver that leaves hosts out."""

    hosts = ('cmp-2', 'cmp-3')
    drivers = ('tests.functional.test_drivers:NoSecondHost',)

    def test_narrows(self):
        """What it leaves out is no alternate; the record has its reason."""
        server = self.boot()
        (decision,) = self.decisions()
        self.assertEqual(['cmp-3'], decision.chosen[server['id']])
        self.assertEqual(['cmp-3'], decision.attempts[0].ranked)
        step = decision.attempts[0].steps[-1]
        self.assertEqual(
            ('NoSecondHost', 'driver', 2, 1),
            (step.name, step.kind, step.hosts_in, step.hosts_out),
        )
        (rejection,) = step.rejections
        self.assertEqual(
            ('cmp-2 is resting', ['cmp-2']),
            (rejection.reason, rejection.hosts),
        )

        self.disable('cmp-3')
        failed = self.boot(expected_state='ERROR')
        self.assertIn('No valid host', failed['fault']['message'])
        self.assertEqual('no valid host', self.decisions()[-1].outcome)


class StrangeHostsTest(base.CloudTestCase):
    """A driver that returns a host that does not pass this time."""

    hosts = ('cmp-1', 'cmp-2')
    drivers = ('tests.functional.test_drivers:StrangeHosts',)

    def test_refused(self):
        """No host gets in past the filters."""
        StrangeHosts.kept = None
        self.disable(self.host_of(self.boot()))
        failed = self.boot(expected_state='ERROR')
        self.assertIn(
            'driver StrangeHosts raised', failed['fault']['message']
        )


class ChanceSchedulerTest(base.CloudTestCase):
    """Any host that passes."""

    drivers = ('ChanceScheduler',)

    def configure(self):
        """Let Nova stack servers on one host, to tell chance from weights."""
        self.flags(group='filter_scheduler', weight_classes=[
            'nova.scheduler.weights.ram.RAMWeigher',
        ], ram_weight_multiplier=-1.0)
        self.flags(group='quota', instances=-1, cores=-1, ram=-1)

    def test_any_host(self):
        """All three hosts are found in time, with all as alternates."""
        found = set()
        # One of 100,000 runs misses a host 32 times.
        for _ in range(8):
            self.boot_many(4)
            chosen = self.decisions()[-1].chosen.values()
            found.update(offer[0] for offer in chosen)
            if found == set(self.hosts):
                return
        self.fail(f'only {found}')

    def test_drawn_again(self):
        """The record has what it takes."""
        self.boot()
        decision = self.decisions()[-1]
        attempt = decision.attempts[0]
        draw = attempt.draw
        again = random.Random(draw.seed)  # noqa: S311  not a secret
        self.assertEqual(again.sample(self.hosts, 3), attempt.ranked)
        self.assertEqual((attempt.ranked, 3), (draw.hosts, draw.count))
        self.assertIn(
            f'drawn by chance from 3 by the driver, with seed {draw.seed}',
            explain(decision).sentence,
        )
