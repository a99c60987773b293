"""Answer RPC, or refuse it with a typed error of one line."""

import contextlib
import functools

import fixtures
import oslo_messaging as messaging
from nova import exception

from nova_ext import plugin, testing
from nova_ext.core.base import errors, scheduling_errors
from nova_ext.core.decision.decision import LeftOut, PlacementDiagnosis
from nova_ext.core.stats.capabilities import MAX_VALUES
from nova_ext.scheduler.facts.reports import (
    KnownHosts,
    ResourceStats,
    ServiceReports,
)
from nova_ext.scheduler.rpc import driver_dispatch
from nova_ext.scheduler.rpc.endpoint import SchedulerEndpoint
from nova_ext.scheduler.what_if.simulate.simulation_requests import (
    SimulationRequests,
)
from tests.unit.scheduler import configured


class TooBigError(scheduling_errors.WrongArgumentsError):
    """Represent an error of another package."""


class BackupDriver(plugin.Driver):
    """Choose where a backup goes."""

    topic = 'backup'

    @plugin.schedule_method
    def choose(self, context, size_gb=1):
        """Return a tuple."""
        return context.user_id, size_gb

    @plugin.schedule_method
    def fail(self, context, how):
        """Raise in one of many ways."""
        raise {
            'bug': KeyError('secret'),
            'own': TooBigError('too\nbig'),
            'ours': errors.RecordError('no record'),
            'nova': exception.NoValidHost(reason='none is up'),
        }[how]

    @plugin.schedule_method
    def answer(self, context, what):
        """Return what JSON can't hold."""
        return {'object': object(), 'nan': float('nan'), 'set': {1}}[what]

    def update_service_capabilities(self, service_name, host, capabilities):
        """Take no report of a host that is not its own."""
        if host == 'foreign':
            raise scheduling_errors.WrongArgumentsError('not one of ours')


class EndpointTest(configured.ConfiguredTestCase):
    """Call it as oslo.messaging does."""

    def setUp(self):
        """Make an endpoint with one driver."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.diagnosis = None
        hosts = KnownHosts(lambda: ({'cmp-1': ['cmp-1']}, True))
        self.services = ServiceReports(hosts)
        self.stats = ResourceStats(hosts)
        self.endpoint = SchedulerEndpoint(
            {'backup': BackupDriver(testing.FakeFacts())}, self.services,
            self.stats, lambda: ['ext:load1'], lambda: ['fingerprint'],
            SimulationRequests(None), None, lambda: {'host': 'ctl'},
            self.diagnose,
        )
        self.context = testing.make_context()

    def diagnose(self, *asked):
        """Keep what was asked for."""
        self.diagnosed = asked
        return self.diagnosis

    def schedule(self, method='choose', topic='backup', **arguments):
        """Call schedule with arguments of the right form."""
        return self.endpoint.schedule(
            self.context, topic=topic, schedule_method=method,
            arguments=arguments,
        )

    def refusal(self, expected, call, *args, **kwargs):
        """Return the line with which a call is refused."""
        wrapped = self.assertRaises(
            messaging.ExpectedException, call, *args, **kwargs
        )
        error = wrapped.exc_info[1]
        self.assertIs(expected, type(error))
        self.assertEqual((str(error),), error.args)
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_result(self):
        """Return JSON, so that every transport has the same."""
        self.assertEqual(['user', 5], self.schedule(size_gb=5))

    def test_unknown(self):
        """Suggest names for an unknown topic or method."""
        self.assertEqual(
            "no driver of topic 'Backup'; did you mean backup? "
            'available: backup',
            self.refusal(scheduling_errors.UnknownTopicError, self.schedule,
                         topic='Backup'),
        )
        self.assertIn("offers no method 'topic'", self.refusal(
            scheduling_errors.UnknownMethodError, self.schedule, 'topic'
        ))

    def test_driver_errors(self):
        """Translate errors; log a bug, and hide its message."""
        for how, expected, line in (
            ('own', scheduling_errors.WrongArgumentsError, 'too big'),
            ('ours', scheduling_errors.DriverError,
             'BackupDriver.fail(): no record'),
            ('nova', scheduling_errors.NoHostError,
             'No valid host was found. none is up'),
        ):
            self.assertEqual(
                line, self.refusal(expected, self.schedule, 'fail', how=how)
            )
        self.assertEqual('', self.log.output)
        line = self.refusal(
            scheduling_errors.DriverError, self.schedule, 'fail', how='bug'
        )
        self.assertIn('BackupDriver.fail() raised KeyError', line)
        self.assertNotIn('secret', line)
        self.assertIn("KeyError: 'secret'", self.log.output)

    def test_diagnose(self):
        """Return a diagnosis as plain data, or None."""
        asked = {
            'query': 'limit=2', 'offered': 'x',
            'ended': '2026-11-23T12:00:00Z',
        }
        self.assertIsNone(self.endpoint.diagnose(self.context, **asked))
        self.diagnosis = PlacementDiagnosis(
            'now', 'limit=2', left_out=[LeftOut(['lacks VCPU'], 3)]
        )
        self.assertEqual({
            'at': 'now', 'query': 'limit=2',
            'left_out': [{'lacks': ['lacks VCPU'], 'count': 3}],
        }, self.endpoint.diagnose(self.context, **asked))
        self.assertEqual(('limit=2', 'x'), self.diagnosed[:2])
        self.assertIn('query: int where str belongs', self.refusal(
            scheduling_errors.WrongArgumentsError, self.endpoint.diagnose,
            self.context, **{**asked, 'query': 5},
        ))
        self.assertIn('ended is no time', self.refusal(
            scheduling_errors.WrongArgumentsError, self.endpoint.diagnose,
            self.context, **{**asked, 'ended': 'once'},
        ))

    def test_unserializable_results(self):
        """Refuse results that JSON does not have."""
        for what in ('object', 'nan', 'set'):
            self.assertIn('returned what JSON can\'t hold', self.refusal(
                scheduling_errors.DriverError, self.schedule, 'answer',
                what=what,
            ))

    def test_malformed(self):
        """Refuse malformed messages."""
        for message in (
            {}, {'topic': 'backup'},
            {'topic': 'backup', 'schedule_method': 'choose',
             'arguments': [1]},
            {'topic': ['backup'], 'schedule_method': 'choose',
             'arguments': {}},
            {'topic': 'backup', 'schedule_method': 'x' * 256,
             'arguments': {}},
            {'topic': 'backup', 'schedule_method': 'choose',
             'arguments': {}, 'more': 1},
            {'self': 1, 'context': 2},
        ):
            call = functools.partial(
                self.endpoint.schedule, self.context, **message
            )
            self.refusal(scheduling_errors.WrongArgumentsError, call)

    def report(self, **fields):
        """Send a report; its sender sees no refusal."""
        with contextlib.suppress(messaging.ExpectedException):
            self.endpoint.update_service_capabilities(self.context, **{
                'service_name': 'backup', 'host': 'h1',
                'capabilities': {'free_gb': 5}, 'serial': 1, **fields,
            })

    def test_report(self):
        """Keep it for drivers."""
        self.report()
        self.assertEqual(
            {'h1': {'free_gb': ('5',)}},
            self.services.get_capabilities('backup'),
        )
        self.assertEqual({}, self.services.get_capabilities('compute'))

    def test_reports_of_compute_hosts(self):
        """Take them of hosts that Nova has, and no others."""
        for host in 'cmp-1', 'forged':
            self.report(service_name='compute', host=host)
        self.assertEqual(
            {'cmp-1'}, set(self.services.get_capabilities('compute'))
        )
        self.assertIn("there is no host 'forged'", self.log.output)

    def test_many_words(self):
        """Leave out a capability of too many words, and say so."""
        self.services.listen()
        self.services._listens_since -= 1e6
        for n in range(3):
            self.report(host=f'h{n}', capabilities={
                'id': [f'{n}-{m}' for m in range(MAX_VALUES // 2)],
                'type': 'kvm',
            })
        answer = self.endpoint.service_capabilities(self.context)
        self.assertEqual(
            {'backup': {'type': {'values': ['kvm']}}}, answer['services']
        )
        self.assertTrue(answer['gathering'])

    def test_refused_reports(self):
        """Log one line for all of them."""
        for fields in (
            {'host': 7}, {'host': ''}, {'service_name': 'unknown'},
            {'serial': '1'}, {'serial': True}, {'capabilities': {'a': None}},
            {'host': 'foreign'},
        ):
            self.report(**fields)
        self.assertEqual({}, self.services.get_capabilities('backup'))
        self.assertEqual(1, len(self.log.output.splitlines()))
        self.assertIn(
            'A message from the bus is refused: update_service_capabilities: '
            'host is no text of 1 to 255 characters',
            self.log.output,
        )

    def test_incomplete(self):
        """Log one line of limited length."""
        for method in ('update_service_capabilities', 'update_resource_stats'):
            self.refusal(
                scheduling_errors.WrongArgumentsError,
                getattr(self.endpoint, method), self.context,
                **{'x' * 10**6: 1},
            )
        line, = self.log.output.splitlines()
        self.assertIn('is refused: update_service_capabilities: ', line)
        self.assertLess(len(line), 400)

    def test_unknown_topic(self):
        """Refuse reports of a topic without a driver."""
        self.report(service_name='unknown')
        self.assertIn("no driver of topic 'unknown'", self.log.output)

    def test_services_of_hosts(self):
        """Take their reports without a driver, and roll all up."""
        self.report(service_name='volume')
        self.report(service_name='volume', host='h2', capabilities={
            'free_gb': 7, 'tier': 'ssd',
        })
        self.report()
        self.assertEqual({
            'services': {
                'volume': {
                    'free_gb': {'min': 5, 'max': 7},
                    'tier': {'values': ['ssd']},
                },
                'backup': {'free_gb': {'min': 5, 'max': 5}},
            },
            'gathering': True,
        }, self.endpoint.service_capabilities(self.context))

    def push(self, **fields):
        """Push a stat; its sender sees no refusal."""
        with contextlib.suppress(messaging.ExpectedException):
            self.endpoint.update_resource_stats(self.context, **{
                'name': 'cmp-1', 'stats': {'ext:load1': 0.5}, 'serial': 1,
                **fields,
            })

    def load(self):
        """Return the stat as plugins see it."""
        return self.stats.get_stat(testing.make_host('cmp-1'), 'ext:load1')

    def test_stats(self):
        """Keep them for plugins until newer ones replace them."""
        self.push()
        self.assertEqual(0.5, self.load().value)
        self.push(stats={'ext:load1': 0.9}, serial=0)
        self.assertEqual(0.5, self.load().value)
        self.push(name=['cmp-1', 'cmp-1'], stats={'ext:load1': 2}, serial=2)
        self.assertEqual(2, self.load().value)
        self.assertEqual(
            ['ext:load1'], self.endpoint.required_stats(self.context)
        )

    def test_offers(self):
        """Return the fingerprints of the offers' secrets."""
        self.assertEqual(
            ['fingerprint'], self.endpoint.offers_honoured(self.context)
        )

    def test_no_servers(self):
        """Refuse to create servers for another topic."""
        self.assertIn('the driver of topic compute does', self.refusal(
            scheduling_errors.UnknownMethodError, self.schedule,
            'schedule_run_instance', server={},
        ))

    def test_refused_stats(self):
        """Log one line for stats of unknown hosts, or malformed ones."""
        for fields in (
            {'name': 'unknown'}, {'name': ['cmp-1', 'a', 'b']},
            {'name': ['cmp-1', 'node-2']},
            {'name': 7}, {'serial': None}, {'stats': [1]},
            {'stats': {'ext:load1': float('nan')}},
            {'stats': {'ext:load1': 'x' * 10**7}},
        ):
            self.push(**fields)
        self.assertEqual('no stat ext:load1', self.load().reason)
        self.assertEqual(1, len(self.log.output.splitlines()))
        self.assertIn(
            "is refused: update_resource_stats: there is no host 'unknown'",
            self.log.output,
        )

    def test_malformed_simulations(self):
        """Refuse malformed requests for simulations."""
        flavor = {'vcpus': 1, 'memory_mb': 512}
        for method, message, line in (
            ('simulate', {'request': {}, 'changes': {}}, 'ranked_hosts'),
            ('simulate', {'request': [], 'changes': {}, 'ranked_hosts': 1},
             'list where dict belongs'),
            ('simulate', {'request': {'flavor': flavor}, 'changes': {},
                          'ranked_hosts': 0}, 'ranked_hosts is no'),
            ('simulate', {'request': {'flavor': flavor}, 'changes': {},
                          'ranked_hosts': True}, 'bool where int belongs'),
            ('capacity', {'request': {'flavor': 1}, 'changes': {}},
             'int where dict belongs'),
            ('capacity', {'request': {'flavor': flavor, 'count': 2},
                          'changes': {}}, 'leave out count'),
        ):
            call = functools.partial(
                getattr(self.endpoint, method), self.context, **message
            )
            self.assertIn(line, self.refusal(
                scheduling_errors.WrongArgumentsError, call
            ))


class DispatchTest(configured.ConfiguredTestCase):
    """Call the driver inside the process."""

    def test_nova_context(self):
        """Pass the caller's context."""
        drivers = {'backup': BackupDriver(testing.FakeFacts())}
        self.assertEqual(['user', 1], driver_dispatch.schedule(
            drivers, testing.make_context(), 'backup', 'choose', {}
        ))
