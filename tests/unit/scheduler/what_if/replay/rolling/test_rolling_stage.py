"""Set the stage of a rolling replay."""

import json
from types import SimpleNamespace
from unittest import mock

import testtools

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.fallback import Fallback
from nova_ext.journal.model import IMPORTED
from nova_ext.scheduler.base import options
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.what_if.replay.gaps import Gaps
from nova_ext.scheduler.what_if.replay.rolling.opening import Opening
from nova_ext.scheduler.what_if.replay.rolling.rolling_stage import (
    RollingStage,
)
from tests.unit.scheduler.what_if.replay.rolling import (
    test_journal_day as samples,
)

ANSWER = {
    'allocation_requests': [{'allocations': {
        'p': {'resources': {'VCPU': 1}},
    }}], 'provider_summaries': {'p': {
        'resources': {'VCPU': {'capacity': 2, 'used': 0}},
        'root_provider_uuid': 'p', 'parent_provider_uuid': None, 'traits': [],
    }}, 'version': '1.36',
}


def make_process(mode):
    """Return who wrote a journal."""
    return SimpleNamespace(mode=mode, configuration={
        'nova_ext': {'mirror_weighs_own_claims': True},
    })


class RollingStageTest(testtools.TestCase):
    """A scheduler's journal."""

    def setUp(self):
        """Set the stage."""
        super().setUp()
        options.register_all()
        self.addCleanup(
            options.CONF.clear_override, 'mirror_sees_all_hosts', 'nova_ext'
        )
        self.manager = SimpleNamespace(
            enabled_filters=[], weighers=[], hosts=(), _instance_info=None
        )
        self.stage = RollingStage(
            make_process(Mode.SCHEDULER), Gaps(), self.manager, ()
        )

    def open(self, **fields):
        """Open a decision that begins with something."""
        opening = Opening(None, {'a': {}}, **fields)
        self.patch(self.stage.cloud, 'open', lambda *_: opening)
        self.stage.open(None, 'spec')
        return opening

    def test_opened(self):
        """Who decides gets what the decision begins with."""
        self.open(
            off=Fallback.REBUILD, hosts=['state'],
            held=Held({'p': {'VCPU': 1}}, frozenset(['q'])),
        )
        inputs = self.stage.source.make_inputs()
        self.assertEqual(
            (None, Fallback.REBUILD, {'VCPU': 1}, {}),
            (inputs.snapshot, inputs.off, inputs.get_held('p'),
             inputs.get_held('x')),
        )
        self.assertEqual(['state'], self.manager.hosts)
        self.assertEqual({'a': {}}, self.manager._instance_info)

    def test_seeds(self):
        """Draws as then; Nova draws with the last one again."""
        get = self.stage.source.get_seed
        self.assertEqual(3, get(3))
        self.open(seeds={0: [7, 8]})
        self.assertEqual([7, 8, 8, 1], [get(0), get(0), get(0), get(1)])
        self.open(seeds={0: [9]})
        self.assertEqual(9, get(0))

    def test_answered(self):
        """Placement's answer of then, once."""
        self.open(answer=ANSWER)
        ask = self.stage.claims.get_allocation_candidates
        resources = mock.Mock()
        self.assertEqual((
            ANSWER['allocation_requests'], ANSWER['provider_summaries'],
            '1.36',
        ), ask(None, resources))
        self.assertEqual(([], {}, '1.36'), ask(None, resources))

    def test_refused(self):
        """Claims that were refused then are refused; others fit, or not."""
        request = ANSWER['allocation_requests'][0]
        self.open(answer=ANSWER, refused=frozenset([('one', 'p')]))
        self.stage.claims.get_allocation_candidates(None, mock.Mock())
        client = self.stage.source.wrap(self.stage.claims)
        self.assertEqual([False, True, True, False], [
            client.claim_resources(None, server, request, 'p', 'u')
            for server in ('one', 'two', 'three', 'four')
        ])
        mirrored = mock.Mock(decides=True)
        current = cycle.Cycle(Mode.SCHEDULER, None, mirrored=mirrored)
        with cycle.running(current):
            self.assertFalse(client.claim_resources(
                None, 'one', request, 'p', 'u'
            ))
        mirrored.note_refusal.assert_called_once_with(request['allocations'])

    def test_closed(self):
        """Hosts and claims of servers, or none."""
        self.open()
        closed = []
        self.patch(
            self.stage.cloud, 'close', lambda *args: closed.append(args)
        )
        decision = SimpleNamespace(servers=['one', 'two'])
        selections = [
            [SimpleNamespace(
                service_host='a', nodename='n', allocation_request=claim
            )] for claim in (
                json.dumps(ANSWER['allocation_requests'][0]), None,
            )
        ]
        self.stage.close(decision, selections)
        self.stage.fail(decision)
        self.assertEqual([
            (decision, 'spec', {
                'one': (('a', 'n'), {'p': {'VCPU': 1}}),
                'two': (('a', 'n'), {}),
            }), (decision, 'spec', {}),
        ], closed)


class ImportedStageTest(testtools.TestCase):
    """An imported journal."""

    def test_day(self):
        """A server takes room until it ends."""
        samples.objects.register_all()
        options.register_all()
        self.addCleanup(
            options.CONF.clear_override, 'mirror_sees_all_hosts', 'nova_ext'
        )
        cloud = samples.Cloud()
        hosts = cloud.make_facts()
        manager = SimpleNamespace(enabled_filters=[], weighers=[])
        day = RollingStage(
            make_process(IMPORTED), Gaps(), manager, ()
        ).cloud
        decision = SimpleNamespace(
            hosts=hosts, providers=cloud.make_providers(), ended=[],
            request_id='row-1', servers=[samples.ONE],
        )
        spec = samples.make_spec()
        day.open(decision, spec)
        day.close(decision, spec, {samples.ONE: (
            samples.A, {cloud.uuids['a']: {'VCPU': 2}},
        )})
        group = samples.objects.InstanceGroup(members=[samples.ONE])
        opening = day.open(decision, samples.make_spec(
            samples.TWO, instance_group=group
        ))
        self.assertEqual(['a'], group.hosts)
        self.assertEqual(1, len(opening.seeds[0]))
        self.assertEqual([samples.ONE], list(day.servers))
        self.assertEqual(6, next(day.list_free())[0]['VCPU'])
        self.assertEqual(1, len(day.make_views(opening.snapshot.order[:1])))
        decision.ended = [samples.ONE]
        day.open(decision, spec)
        self.assertEqual([], list(day.servers))
        day.release(samples.ONE)
