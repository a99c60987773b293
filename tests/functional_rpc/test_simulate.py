"""What would be, told by the scheduler that decides what is."""

import contextlib
import io
import re
import runpy
import threading
import unittest
from concurrent import futures
from importlib import metadata
from pathlib import Path
from typing import ClassVar

import fixtures
from nova import context as nova_context
from nova.tests.functional.api import client as api_client
from oslo_context import context
from testtools import testcase

from nova_ext import client, plugin
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import explain
from nova_ext.scheduler.completion import placement_probe, recorder
from nova_ext.scheduler.what_if.simulate import (
    simulated_effects,
    simulation_requests,
)
from nova_ext.scheduler.what_if.simulate.offline_simulation import make_decider
from tests.functional import mirrored, raising
from tests.functional_rpc import what_if

PATIENCE_S = 50
DOCUMENTATION = Path(__file__).parents[2] / 'doc' / 'source' / 'user'
PACK = client.Changes(multipliers={
    'RAMWeigher': -1.0, 'CPUWeigher': -1.0, 'DiskWeigher': -1.0,
    'IoOpsWeigher': 0.0,
})


class OddDriver(plugin.ComputeDriver):
    """Takes hosts of an odd number alone."""

    heard: ClassVar[list] = []

    def rank(self, hosts, request, context):
        """Leave out the others."""
        odd = [host for host in hosts if int(host.host[-1]) % 2]
        return plugin.Ranking(odd, 'not odd')

    def on_scheduled(self, hosts, request, context):
        """Note that it was told."""
        self.heard.append(hosts)


class WaitingDriver(plugin.ComputeDriver):
    """Hold up a boot with the hint ``wait``."""

    begun, end = threading.Event(), threading.Event()

    def rank(self, hosts, request, context):
        """Wait where the request says so."""
        if plugin.get_hint_values(request, 'wait'):
            self.begun.set()
            self.end.wait(PATIENCE_S)
        return super().rank(hosts, request, context)


class PrecedenceTest(what_if.WhatIfTestCase):
    """Simulate while a boot is decided."""

    drivers = (f'{__name__}:WaitingDriver',)

    @testcase.attr('slow')
    def test_boots_first(self):
        """Wait for the boot, but not for ever."""
        self.useFixture(fixtures.MonkeyPatch(
            f'{simulated_effects.__name__}.GIVE_WAY_S', PATIENCE_S
        ))
        with futures.ThreadPoolExecutor() as pool:
            self.addCleanup(WaitingDriver.end.set)
            boot = pool.submit(self.boot, {'wait': '1'})
            self.assertTrue(WaitingDriver.begun.wait(PATIENCE_S))
            asked = pool.submit(self.simulate, count=2)
            self.assertRaises(futures.TimeoutError, asked.result, 3)
            WaitingDriver.end.set()
            boot.result(PATIENCE_S)
            self.assertEqual(d.PLACED, asked.result(PATIENCE_S).outcome)

            for event in (WaitingDriver.begun, WaitingDriver.end):
                event.clear()
            self.useFixture(fixtures.MonkeyPatch(
                f'{simulated_effects.__name__}.GIVE_WAY_S', 0.1
            ))
            boot = pool.submit(self.boot, {'wait': '1'})
            self.assertTrue(WaitingDriver.begun.wait(PATIENCE_S))
            self.assertEqual(d.PLACED, self.simulate(count=2).outcome)
            self.assertFalse(boot.done())
            WaitingDriver.end.set()
            boot.result(PATIENCE_S)


class SimulateTest(what_if.WhatIfTestCase):
    """The answer is a decision."""

    enabled_filters = (
        'ComputeFilter', 'SpecifiedHostFilter',
        'ServerGroupAntiAffinityFilter',
    )

    def configure(self):
        """A driver out of this file."""
        super().configure()
        self.flags(group='nova_ext', plugin_files=[__file__])

    def test_placed(self):
        """It says where, from which hosts, and why."""
        decision = self.simulate(count=2)
        self.assertEqual(d.PLACED, decision.outcome)
        self.assertTrue(decision.simulated)
        self.assertEqual(list(decision.chosen), decision.servers)
        self.assertEqual(2, len(decision.servers))
        self.assertEqual(
            {'cmp-1', 'cmp-2', 'cmp-3'}, set(decision.attempts[0].ranked)
        )
        explanation = explain.explain(decision)
        self.assertIn('chosen from 3 of 3 hosts', explanation.sentence)
        self.assertIn('simulated: nothing was claimed', explanation.notes)
        fewer = self.simulate(ranked_hosts=1)
        self.assertEqual(1, len(fewer.attempts[0].ranked))
        self.assertEqual(3, fewer.attempts[0].ranked_count)

    def test_without_a_bus(self):
        """Decide the same in an offline simulation."""
        offline = simulation_requests.SimulationRequests(
            make_decider()
        ).simulate(
            nova_context.get_admin_context(), self.request(),
            client.Changes(), 100,
        )
        decision = self.simulate()
        self.assertEqual(d.PLACED, offline.outcome)
        for part in ('hosts_in', 'ranked', 'steps'):
            self.assertEqual(
                getattr(decision.attempts[0], part),
                getattr(offline.attempts[0], part),
            )

    def test_hints_of_novas_own(self):
        """They have no effect, as on a boot."""
        decision = self.simulate(hints={
            '_nova_check_type': 'rebuild', 'requested_host': 'cmp-2',
        })
        self.assertEqual(['cmp-2'], decision.attempts[0].ranked)
        self.assertEqual('first boot', decision.operation)
        self.assertEqual(3, decision.placement.candidates)
        self.assertEqual(
            {'requested_host': ['cmp-2']}, decision.request['hints']
        )

    def test_documentation(self):
        """The program of the user guide prints what stands there.

        Which of equal hosts is the first differs from run to run.
        """
        program = runpy.run_path(str(DOCUMENTATION / 'what-if' / 'ask.py'))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            program['ask'](self.program, self.me)
        guide = _unnumbered((DOCUMENTATION / 'what-if.rst').read_text())
        for line in printed.getvalue().splitlines():
            self.assertIn(f'   {_unnumbered(line)}\n', guide)

    def test_nothing_happens(self):
        """No row, no notification, no line of the record, no state."""
        group = self.api.post_server_groups(
            {'name': 'group', 'policy': 'anti-affinity'}
        )
        for host in self.hosts:
            server = self.boot({'requested_host': host})
            # The last that nova-compute writes of a boot.
            self._wait_for_instance_action_event(
                server, 'create', 'compute__do_build_and_run_instance',
                'success',
            )
            # Computes tell that now and then; the scheduler relies on it.
            self.scheduler.sync_instance_info(
                nova_context.get_admin_context(), host, [server['id']]
            )
        self.wait_for(
            lambda: set(self.instances()) == set(self.hosts), 'all of it'
        )
        before = (
            self.all_rows(), self.notified(), self.decisions(),
            self.instances(),
        )
        for asked in (
            {'count': 3}, {'hints': {'group': group['id']}, 'count': 2},
            {'flavor': self.flavor(memory_mb=10**6)},
            {'hints': {'requested_host': 'cmp-9'}},
            {'availability_zone': 'nova:cmp-2'}, {'host': 'cmp-2'},
        ):
            self.simulate(**asked)
            self.capacity(**asked | {'count': 1})
        self.assertEqual(before, (
            self.all_rows(), self.notified(), self.decisions(),
            self.instances(),
        ))

    def instances(self):
        """Servers by host, as the scheduler relies on remembering them."""
        return {
            host: sorted(known['instances'])
            for host, known
            in self.scheduler.host_manager._instance_info.items()
            if known['updated']
        }

    def test_filters(self):
        """Others than those that are enabled, which stay enabled.

        That no host is valid is an answer, with what stands in the way.
        """
        hints = {'requested_host': 'cmp-9'}
        decision = self.simulate(
            hints=hints, changes=client.Changes(filters=['ComputeFilter'])
        )
        self.assertEqual(d.PLACED, decision.outcome)
        self.assertEqual(
            {'filters': ['ComputeFilter']}, decision.by['changes']
        )
        decision = self.simulate(
            changes=client.Changes(filters=['IsolatedHostsFilter'])
        )
        self.assertEqual(
            ['IsolatedHostsFilter'],
            [step.name for step in decision.attempts[0].steps],
        )
        decision = self.simulate(hints=hints)
        self.assertEqual(d.NO_VALID_HOST, decision.outcome)
        self.assertEqual(
            '0/3 hosts: 3 requested_host is cmp-9 (SpecifiedHostFilter)',
            explain.explain(decision).sentence,
        )

    @testcase.attr('slow')
    def test_multipliers(self):
        """Hosts are filled up instead of spread to, in the answer alone.

        What an aggregate says counts more than any option; a plugin's
        weigher can count that does not today.
        """
        owner = self.boot({'requested_host': 'cmp-2'})['user_id']
        gather = client.Changes(multipliers={'OwnerSpreadWeigher': -99.0})
        self.assertEqual('cmp-2', self.first(changes=PACK))
        self.assertEqual('cmp-2', self.first(user_id=owner, changes=gather))
        self.assertNotEqual('cmp-2', self.first(user_id=owner))
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'all'}}
        )
        self.admin_api.post_aggregate_action(aggregate['id'], {
            'set_metadata': {'metadata': {'ram_weight_multiplier': '9.0'}},
        })
        for host in self.hosts:
            self.add_to_aggregate(aggregate['id'], host)
        # Schedulers hear of aggregates by casts, each of which tells all.
        self.wait_for(
            lambda: self.first(changes=PACK) != 'cmp-2', 'the metadata'
        )

    def first(self, **asked):
        """The host that would be chosen."""
        decision = self.simulate(**asked)
        return decision.attempts[0].ranked[0]

    def test_driver(self):
        """Another one ranks, and hears nothing."""
        decision = self.simulate(changes=client.Changes(driver='OddDriver'))
        self.assertEqual({'cmp-1', 'cmp-3'}, set(decision.attempts[0].ranked))
        self.assertEqual('OddDriver', decision.by['driver'])
        self.assertEqual([], OddDriver.heard)
        self.assertEqual(3, self.simulate().attempts[0].ranked_count)

    def test_refused(self):
        """One line says what is wrong; the scheduler goes on."""
        for told, asked in (
            ("there is no filter 'ComputFilter'; did you mean ComputeFilter?",
             {'changes': client.Changes(filters=['ComputFilter'])}),
            ("there is no weigher 'RamWeigher'",
             {'changes': client.Changes(multipliers={'RamWeigher': 1.0})}),
            ("there is no driver 'os.path'",
             {'changes': client.Changes(driver='os.path')}),
            ('ranked_hosts is no integer', {'ranked_hosts': 0}),
            ('Instance group 00000000-0000-0000-0000-0000000000aa could not',
             {'hints': {'group': '00000000-0000-0000-0000-0000000000aa'}}),
            ('known to Cyborg', {'flavor': self.flavor(
                extra_specs={'accel:device_profile': 'gpu'})}),
            ('PCI alias', {'flavor': self.flavor(
                extra_specs={'pci_passthrough:alias': 'gpu:1'})}),
            ('the image is not as Nova keeps it', {'image': {'min_ram': []}}),
            ('half of a surrogate pair',
             {'flavor': self.flavor(flavorid='\ud800')}),
        ):
            error = self.assertRaises(
                client.WrongArgumentsError, self.simulate, **asked
            )
            self.assertIn(told, str(error))
        self.assertEqual(d.PLACED, self.simulate().outcome)

    def test_no_file(self):
        """A file to run is refused in a line: labs alone take one."""
        ran = Path(self.useFixture(fixtures.TempDir()).join('ran'))
        path = ran.with_name('mine.py')
        path.write_text(f'open({str(ran)!r}, "w").close()\n')
        question = {'request': self.request().to_dict(), 'ranked_hosts': 1}
        target = self.program._get_target()
        for method, arguments, told in (
            ('simulate', {**question, 'changes': {'file': str(path)}},
             'Changes: Changes has no file'),
            ('simulate', {**question, 'changes': {}, 'file': str(path)},
             "got an unexpected keyword argument 'file'"),
            ('answer', {'question': {**question, 'file': str(path)}},
             'Endpoint does not support RPC method answer'),
            ('target', {'topic': 'x'},
             'Endpoint does not support RPC method target'),
        ):
            error = self.assertRaises(
                client.SchedulingError, self.program._bus.call, self.me,
                target, method, arguments,
            )
            self.assertIn(told, str(error))
            self.assertNotIn('\n', str(error))
        self.assertFalse(ran.exists())

    def test_system_scope(self):
        """Answer a caller whose token is for the system, not a project."""
        self.me = context.RequestContext(
            user_id='auditor', system_scope='all', roles=['reader']
        )
        decision = self.simulate()
        self.assertEqual(
            (d.PLACED, ''), (decision.outcome, decision.project_id)
        )
        self.assertEqual(3, self.simulate(
            hints={'requested_host': 'cmp-2'}
        ).placement.candidates)
        self.assertEqual(d.PLACED, self.capacity().decision.outcome)

    def test_stored_flavor(self):
        """The cloud's own is taken, if the caller may see it."""
        big = self.flavor(memory_mb=3000)
        public, hidden = (
            self.create_flavor(big, is_public=shown) for shown in (True, False)
        )
        made_up = self.flavor(flavorid=public)
        for stored, memory in ((False, 'MEMORY_MB%3A512'),
                               (True, 'MEMORY_MB%3A3000')):
            decision = self.simulate(made_up, stored_flavor=stored)
            self.assertIn(memory, decision.placement.query)
        for number in (hidden, 'none'):
            error = self.assertRaises(
                client.WrongArgumentsError, self.simulate,
                self.flavor(flavorid=number), stored_flavor=True,
            )
            self.assertIn(f'Flavor {number} could not be found', str(error))

    def test_failed(self):
        """What ends a boot with an error is the answer, with the error."""
        def broken(*args):
            raise KeyError('in a prefilter')

        self.useFixture(fixtures.MonkeyPatch(
            'nova.scheduler.request_filter.ALL_REQUEST_FILTERS', [broken]
        ))
        explanation = explain.explain(self.simulate())
        self.assertEqual(d.FAILED, explanation.outcome)
        self.assertIn("KeyError: 'in a prefilter'", explanation.sentence)
        room = self.capacity()
        self.assertTrue(room.unknown)
        self.assertIn(
            "KeyError: 'in a prefilter'",
            explain.explain(room.decision).sentence,
        )


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class MirroredTest(SimulateTest):
    """Simulate where a mirror decides boots."""

    for _name in dir(SimulateTest):
        if _name.startswith('test_') and _name not in (
            'test_driver', 'test_nothing_happens'
        ):
            locals()[_name] = None

    def configure(self):
        """Have tests refresh the mirror."""
        super().configure()
        self.useFixture(mirrored.RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600,
        )

    def simulate(self, *args, **asked):
        """Ask the mirror, which knows of all that there is."""
        self.scheduler._mirror.refresh()
        decision = super().simulate(*args, **asked)
        self.assertTrue(decision.mirror.decides)
        if decision.outcome == d.PLACED:
            forced = asked.get('availability_zone', '')
            self.assertEqual(
                'forced_host' if ':' in forced else '',
                decision.mirror.fallback,
            )
        return decision


class RaisingTest(what_if.WhatIfTestCase):
    """A filter raises where it is told to."""

    enabled_filters = ('ComputeFilter', 'RaisingFilter')

    def configure(self):
        """Load it from a plain file."""
        super().configure()
        self.flags(plugin_files=[raising.__file__], group='nova_ext')

    def test_named(self):
        """It is named, and what it raised; it raises while filling, too."""
        why = 'filter RaisingFilter raised ZeroDivisionError'
        hints = {'raise': ['filter']}
        self.assertTrue(
            explain.explain(self.simulate(hints=hints)).sentence.startswith(
                f'0/3 hosts, {why}: '
            )
        )
        for hint in (['filter'], ['filter', '1']):
            room = self.capacity(hints={'raise': hint})
            self.assertTrue(room.unknown, hint)
            self.assertIn(f', {why}', explain.explain(room.decision).sentence)
        self.assertFalse(self.capacity().unknown)


class ZoneTest(what_if.WhatIfTestCase):
    """A zone, and a host outside of it."""

    def setUp(self):
        """Put cmp-1 into the zone."""
        super().setUp()
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'rack'}}
        )
        self.admin_api.post_aggregate_action(aggregate['id'], {
            'set_metadata': {'metadata': {'availability_zone': 'west'}},
        })
        self.add_to_aggregate(aggregate['id'], 'cmp-1')

    def ask(self, zone):
        """Return the decisions of a simulation and of a capacity."""
        return [
            self.simulate(availability_zone=zone),
            self.capacity(availability_zone=zone).decision,
        ]

    def test_unavailable(self):
        """It is refused as nova-api refuses it."""
        self.boot_refused('wets')
        for ask in self.simulate, self.capacity:
            error = self.assertRaises(
                client.WrongArgumentsError, ask, availability_zone='wets'
            )
            self.assertEqual(
                'The requested availability zone is not available: wets; '
                'available: nova, west', str(error),
            )
        self.disable('cmp-1')
        self.boot_refused('west')
        self.assertRaises(
            client.WrongArgumentsError, self.simulate,
            availability_zone='west',
        )

    def boot_refused(self, zone):
        """Assert that nova-api refuses a boot."""
        error = self.assertRaises(
            api_client.OpenStackApiException, self.boot,
            availability_zone=zone,
        )
        self.assertIn(
            'The requested availability zone is not available', str(error)
        )

    @testcase.attr('slow')
    def test_without_effect(self):
        """A boot lands elsewhere; a note says so."""
        none = (
            'availability zone nova had no effect: no aggregate has it, so '
            'hosts of any zone may be chosen'
        )
        self.boot(availability_zone='nova')
        for made in [self.decisions()[-1], *self.ask('nova')]:
            self.assertIn(none, explain.explain(made).notes)
        for made in self.ask('west'):
            self.assertEqual(['cmp-1'], made.attempts[0].ranked)
            # The image has a property that no enabled filter reads.
            notes = ' '.join(explain.explain(made).notes)
            self.assertNotIn('availability zone west had no effect', notes)

    def test_forced_host(self):
        """nova-api drops the zone, and so does a simulation."""
        server = self.boot(api=self.admin_api, availability_zone='west:cmp-3')
        self.assertEqual('cmp-3', self.host_of(server))
        for made in self.ask('west:cmp-3'):
            self.assertEqual(['cmp-3'], made.attempts[0].ranked)
            for hosts in (True, False):
                self.assertIn(
                    'availability zone west had no effect: the request forces '
                    'its host', explain.explain(made, hosts=hosts).notes,
                )


class AskedAgainTest(what_if.WhatIfTestCase):
    """Placement offers no host."""

    ask_again_every_s = 60

    def setUp(self):
        """Wait for answers on a busy machine, too."""
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            f'{simulation_requests.__name__}.DIAGNOSIS_WAIT_S', PATIENCE_S
        ))

    def test_asked_again(self):
        """The answer says what the hosts lack."""
        decision = self.simulate(self.flavor(memory_mb=10**6))
        self.assert_lacks({'lacks MEMORY_MB': len(self.hosts)}, decision)
        self.assertEqual(
            d.PLACED, self.simulate(self.flavor(memory_mb=1024)).outcome
        )
        bigger = self.capacity(self.flavor(memory_mb=2 * 10**6))
        self.assert_lacks(
            {'lacks MEMORY_MB': len(self.hosts)}, bigger.decision
        )
        self.assertFalse(self.record.exists())

    def test_named_host(self):
        """The answer says what the host lacks that the request names."""
        for name, value in (
            ('host', 'cmp-2'), ('availability_zone', 'nova:cmp-2'),
        ):
            decision = self.simulate(
                self.flavor(memory_mb=10**6), **{name: value}
            )
            lacks = {
                host: group.lacks for group in decision.asked_again.left_out
                for host in group.hosts
            }
            self.assertEqual(['lacks MEMORY_MB'], lacks['cmp-2'])
            self.assertIn(
                '; cmp-2: MEMORY_MB 1000000, at most 8192 a server there',
                explain.explain(decision).sentence,
            )

    def test_too_early(self):
        """What placement answered before tells nothing of this answer."""
        self.useFixture(fixtures.MonkeyPatch(
            f'{simulation_requests.__name__}.DIAGNOSIS_WAIT_S', 0.1
        ))
        recorder.get().diagnosis_worker._turns.take(
            self.simulate(self.flavor(memory_mb=10**6)).placement.query,
            float('inf'),
        )
        self.me = context.RequestContext(
            user_id='owner', project_id=self.admin_api.project_id,
            roles=['manager', 'member', 'reader'],
        )
        decision = self.simulate(self.flavor(memory_mb=10**6))
        self.assertIsNone(decision.asked_again)
        self.assertIn('not yet', ' '.join(explain.explain(decision).notes))

    def assert_lacks(self, expected, decision):
        """Check what hosts lack, by count."""
        self.assertEqual(expected, {
            ' and '.join(group.lacks): group.count
            for group in decision.asked_again.left_out
        })

    def test_limit(self):
        """The answer says which hosts it cut off."""
        self.flags(max_placement_results=1, group='scheduler')
        decision = self.simulate(hints={'requested_host': 'no-such-host'})
        self.assert_lacks({
            'is cut off by max_placement_results 1': len(self.hosts) - 1
        }, decision)

    def test_unanswered(self):
        """Nothing is asked again where placement did not answer."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova.scheduler.client.report.SchedulerReportClient.'
            'get_allocation_candidates', lambda *args: (None, None, None)
        ))
        decision = self.simulate()
        self.assertIsNone(decision.asked_again)
        self.assertIn(
            ' hosts, placement did not answer: ',
            explain.explain(decision).sentence,
        )

    def test_refused(self):
        """The answer has placement's own words."""
        decision = self.simulate(self.flavor(
            extra_specs={'trait:CUSTOM_NO_SUCH': 'required'}
        ))
        self.assertIn(
            ', placement refused the query (400: No such trait(s): '
            'CUSTOM_NO_SUCH.): ', explain.explain(decision).sentence,
        )

    def test_others_do_not_wait(self):
        """While placement is asked again, another question is answered."""
        asked, answer = threading.Event(), threading.Event()
        self.addCleanup(answer.set)
        diagnose = placement_probe.diagnose

        def slowly(*args):
            asked.set()
            answer.wait(PATIENCE_S)
            return diagnose(*args)

        self.useFixture(fixtures.MonkeyPatch(
            f'{placement_probe.__name__}.diagnose', slowly
        ))
        with futures.ThreadPoolExecutor() as pool:
            big = pool.submit(self.simulate, self.flavor(memory_mb=10**6))
            self.assertTrue(asked.wait(PATIENCE_S))
            self.assertEqual(
                d.PLACED, self.simulate(self.flavor(memory_mb=1024)).outcome
            )
            self.assertFalse(big.done())
            answer.set()
            self.assert_lacks(
                {'lacks MEMORY_MB': len(self.hosts)}, big.result(PATIENCE_S)
            )


def _unnumbered(text):
    """A text without the numbers of hosts."""
    return re.sub(r'cmp-\d', 'cmp-', text)
