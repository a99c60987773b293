"""What placement is asked about hosts that it left out, and what is told."""

from urllib import parse

import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import left_out_probe
from nova_ext.core.decision.placement_answer import digest_roots
from tests.unit.core.decision.memory_placement import (
    DISABLED,
    SHARES,
    MemoryCloud,
    MemoryProvider,
)


def host(name, *traits, aggregates=(), **free):
    """Return a root; without amounts it has room for a server."""
    return MemoryProvider(
        name, name, free or {'VCPU': 2, 'DISK_GB': 20}, {*traits},
        {*aggregates},
    )


def child(root, name, *traits, **free):
    """Return a further provider of a host."""
    return MemoryProvider(f'{root}-{name}', root, free, {*traits})


def query(**keys):
    """Return a query; a key may begin with a suffix of a group."""
    return parse.urlencode({'resources': 'VCPU:2', **keys})


class LeftOutProbeTest(testtools.TestCase):
    """Hosts by one letter; ``o`` is the one that was offered."""

    def diagnose(self, text, *providers, offered='o', **fields):
        """Return the diagnosis of a query."""
        self.cloud = MemoryCloud(host('o', 'A', aggregates=['agg-1'], **{
            name: 99 for name in ('VCPU', 'PCPU', 'DISK_GB', 'VGPU')
        }), *providers)
        for name, value in fields.items():
            setattr(self.cloud, name, value)
        return left_out_probe.diagnose(
            self.cloud, text, [digest_roots(offered)], 'ctl'
        )

    def lacks(self, *args, **kwargs):
        """Return what the hosts lack, by host."""
        self.diagnosis = self.diagnose(*args, **kwargs)
        return {
            name: ' and '.join(group.lacks)
            for group in self.diagnosis.left_out for name in group.hosts
        }

    def test_lacks(self):
        """Each host is told with all that it lacks."""
        text = query(
            resources='VCPU:2,DISK_GB:9', required='A,!B',
            member_of='in:agg-1', root_required=f'!{DISABLED}',
        )
        full = host('v', 'A', aggregates=['agg-1'], VCPU=1, DISK_GB=9)
        self.assertEqual({
            'v': 'lacks VCPU',
            'b': 'lacks trait A and has forbidden trait B',
            'r': 'is not in aggregate rack-1',
            'x': 'is disabled',
            'y': 'is disabled',
        }, self.lacks(
            text, full, host('b', 'B', aggregates=['agg-1']),
            host('r', 'A'), host('x', 'A', DISABLED, aggregates=['agg-1']),
            host('y', 'A', DISABLED, aggregates=['agg-1']),
        ))
        largest = self.diagnosis.left_out[0]
        self.assertEqual(
            (2, ['x', 'y'], [7, 7]),
            (largest.count, largest.hosts, largest.generations),
        )
        self.assertEqual(
            (text, 'ctl', digest_roots('o'), []),
            (self.diagnosis.query, self.diagnosis.scheduler,
             self.diagnosis.offered, self.diagnosis.untold),
        )

    def test_example(self):
        """Of one host that lacks resources alone it says how much it has."""
        inventory = {
            'total': 9, 'reserved': 1, 'allocation_ratio': 1.0,
            'min_unit': 1, 'max_unit': 9, 'step_size': 1,
        }
        providers = (
            host('v', 'A', VCPU=1), host('w', 'A', VCPU=1), host('b'),
        )
        diagnosis = self.diagnose(
            query(required='A'), *providers,
            inventories={'v': {'VCPU': inventory}},
        )
        self.assertEqual(
            ['v: VCPU 2, too much of 8 is used there'], diagnosis.examples
        )
        # There is none to tell of, or placement does not say.
        self.assertEqual([], self.diagnose(
            query(required='A'), *providers
        ).examples)
        self.assertEqual([], self.diagnose(
            query(required='A'), providers[-1]
        ).examples)
        self.assertEqual([], self.diagnose(
            query(required='A'), *providers,
            silent=['/resource_providers/v/inventories'],
        ).examples)

    def test_changed(self):
        """Nothing is told where placement offers others than then."""
        for offered in ('', 'x', 'oxy'):
            self.assertEqual({}, self.lacks(
                query(), host('x', VCPU=1), host('y', VCPU=1), host('z'),
                offered=offered,
            ))
            self.assertEqual(1, len(self.cloud.asked))
            self.assertEqual(digest_roots('oz'), self.diagnosis.offered)

    def test_one_less(self):
        """The server itself may have taken the room of one host since."""
        providers = host('x', VCPU=1), host('y', VCPU=1)
        self.assertEqual({'y': 'lacks VCPU'}, self.lacks(
            query(), *providers, offered='ox'
        ))
        self.assertEqual(digest_roots('ox'), self.diagnosis.offered)
        many = [
            host(f'h{number}', VCPU=1)
            for number in range(left_out_probe.MAX_ROOTS)
        ]
        self.assertEqual({}, self.lacks(
            query(), *providers, *many, offered='ox'
        ))

    def test_limit(self):
        """Hosts beyond the limit lack nothing, and are told apart."""
        self.assertEqual({
            'p': 'is cut off by max_placement_results 1',
            'v': 'lacks VCPU',
        }, self.lacks(query(limit=1), host('p'), host('v', VCPU=1)))
        # Without a limit that was reached nothing is cut off.
        self.lacks(query(limit=9), host('v', VCPU=1))
        self.assertFalse(
            [path for path in self.cloud.asked if 'limit=10000' in path]
        )

    def test_group(self):
        """Resources of one provider are asked for as a group."""
        text = query(resources_g='VGPU:2', required_g='A')
        self.assertEqual({
            'x': 'lacks a provider with 2 of VGPU and trait A',
            'v': 'lacks a provider with 2 of VGPU and trait A and lacks VCPU',
        }, self.lacks(
            text, host('x'), child('x', 'one', VGPU=2),
            child('x', 'two', 'A', VGPU=1), host('v', VCPU=1),
        ))

    def test_groups_at_once(self):
        """Room for each group alone is no room for all of them."""
        self.assertEqual(
            {'x': 'lacks room for all granular groups at once'},
            self.lacks(
                query(resources1='VGPU:1', resources2='VGPU:1',
                      group_policy='isolate'),
                child('o', 'one', VGPU=1), host('x'),
                child('x', 'one', VGPU=9),
            ),
        )

    def test_group_without_resources(self):
        """Which provider has to meet it is up to others: it is not told."""
        diagnosis = self.diagnose(
            query(required_g='A', same_subtree='_g'), host('x')
        )
        self.assertEqual(['granular group _g'], diagnosis.untold)
        (group,) = diagnosis.left_out
        self.assertEqual(
            ['lacks nothing of what was asked for alone'], group.lacks
        )

    def test_elsewhere(self):
        """A trait counts on a provider that gives some resource."""
        self.assertEqual({
            'x': 'has trait A only on providers that give none of its other '
                 'resources',
        }, self.lacks(
            query(required='A'), host('x'), child('x', 'nic', 'A'),
        ))

    def test_two_queries(self):
        """For pinned processors either answer is enough."""
        text = f'{query(resources="PCPU:2")} {query(resources="VCPU:2")}'
        self.assertEqual({'x': 'lacks PCPU and lacks VCPU'}, self.lacks(
            text, host('x', DISK_GB=1), host('y'), host('z', PCPU=2),
            offered='oyz',
        ))

    def test_shared(self):
        """What a pool shares can't be asked for alone, and says so."""
        pool = host('pool', SHARES, aggregates=['agg-1'], DISK_GB=99)
        diagnosis = self.diagnose(
            query(resources='VCPU:2,DISK_GB:9', resources_g='VGPU:1'), pool,
            host('x', VCPU=2, VGPU=1),
        )
        self.assertEqual(['DISK_GB:9 (shared by a provider)'],
                         diagnosis.untold)
        (group,) = diagnosis.left_out
        self.assertEqual(
            ['lacks nothing of what was asked for alone'], group.lacks
        )

    def test_many_demands(self):
        """Placement is asked ten times at most; the rest is named."""
        traits = [f'T{number}' for number in range(12)]
        diagnosis = self.diagnose(
            query(required=','.join(['A', *traits])), offered=''
        )
        self.assertLessEqual(
            len(self.cloud.asked), left_out_probe.MAX_QUERIES
        )
        (group,) = diagnosis.left_out
        told = {clause.split()[-1] for clause in group.lacks}
        self.assertEqual({*traits}, told | {*diagnosis.untold})
        self.assertEqual(set(), told & {*diagnosis.untold})

    def test_silent(self):
        """Without the first answers nothing is told; later ones are named."""
        for silent, problem in (
            ('/allocation_candidates', 'placement did not answer'),
            ('/resource_providers?required=!MISC',
             'placement did not list its providers'),
        ):
            error = self.assertRaises(
                NovaExtError, self.diagnose, query(), silent=[silent]
            )
            self.assertEqual(problem, str(error))
        for silent, untold in (
            ('/resource_providers?required=A', 'A'),
            ('/allocation_candidates?resources_g',
             'a provider with 1 of VGPU'),
        ):
            self.assertEqual({'x': 'lacks VCPU'}, self.lacks(
                query(required='A', resources_g='VGPU:1'),
                host('x', 'A', VCPU=1, VGPU=1), silent=[silent],
            ))
            self.assertEqual([untold], self.diagnosis.untold)

    def test_aggregate(self):
        """An aggregate is named with its zone, if it has one."""
        self.assertEqual('a (availability zone z)',
                         left_out_probe.format_aggregate('a', 'z'))
        self.assertEqual('a', left_out_probe.format_aggregate('a', None))
