"""Call an endpoint over oslo.messaging."""

import datetime
import logging
import threading
import time

import oslo_messaging as messaging
from oslo_config import cfg, fixture
from oslo_context.context import generate_request_id

from nova_ext import client
from nova_ext.client import connection, wire
from nova_ext.core.base import scheduling_errors
from nova_ext.core.decision.decision import Placement, PlacementDiagnosis
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest
from nova_ext.core.rpc.offers import OfferAnswer, OfferQuestion
from tests.unit.client import base

TOKEN = 'canary'  # noqa: S105  of nobody
NOW = datetime.datetime(2026, 11, 23, 12, 0, 0, 500, datetime.UTC)


class NewError(scheduling_errors.SchedulingError):
    """Represent an error that this client does not know."""


class NoValidHost(Exception):  # noqa: N818  Nova's name
    """Have the name of Nova's."""


class Scheduler:
    """Return the arguments, or raise what they name."""

    target = messaging.Target(version='1.0')

    def __init__(self):
        self.release = threading.Event()

    def schedule(self, context, topic, schedule_method, arguments):
        """Answer as nova-ext-scheduler does."""
        match schedule_method:
            case 'raise':
                raise NewError('a sentence\nand more')
            case 'typed':
                raise scheduling_errors.UnknownTopicError('no such topic')
            case 'broken':
                raise KeyError('x')
            case 'wait':
                self.release.wait(20)
        return [topic, schedule_method, arguments, context['user_id']]


class OldScheduler:
    """Serve a lower version."""

    target = messaging.Target(version='0.9')

    def schedule(self, context, **message):
        """Fail if it is reached."""
        raise AssertionError


def _return_message(*args, **kwargs):
    """Fail as oslo.messaging does where RabbitMQ returns a message."""
    raise messaging.MessageUndeliverable(None, None, None, None)


#: The least that a legacy request has.
LEGACY = {
    'image': {},
    'instance_type': {
        'name': 'm1.tiny', 'vcpus': 1, 'memory_mb': 512, 'root_gb': 1,
        'ephemeral_gb': 0, 'swap': 0, 'extra_specs': {}, 'disabled': False,
        'is_public': True,
    },
    'instance_properties': {'uuid': '00000000-0000-0000-0000-0000000000aa'},
}


class NewScheduler(Scheduler):
    """Serve a later version with an optional argument."""

    target = messaging.Target(version='1.7')

    def schedule(self, context, topic, schedule_method, arguments, more=1):
        """Answer as before."""
        return super().schedule(context, topic, schedule_method, arguments)


class Nova:
    """Answer as a stock nova-scheduler does."""

    target = messaging.Target(version='4.5')

    def select_destinations(self, context, request_spec=None,
                            filter_properties=None, spec_obj=None):
        """Return a host for each; none for more than two."""
        count = request_spec['num_instances']
        if count > 2:
            raise NoValidHost('There are not enough hosts available.')
        return [
            {'host': 'one', 'nodename': 'one', 'limits': {}}
        ] * count


class SchedulerClientTest(base.ServedTestCase):
    """Return results, and raise errors of one line."""

    def error(self, expected, call, *args, **kwargs):
        """Return the one line of the error that a call raises."""
        error = self.assertRaises(client.SchedulingError, call, *args,
                                  **kwargs)
        self.assertIs(expected, type(error))
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_schedule(self):
        """Send topic, method, arguments of any name, and context."""
        self.serve(Scheduler())
        self.assertEqual(
            ['backup', 'choose', {'topic': 1, 'context': [2]}, 'u'],
            self.client().schedule(
                self.context, 'backup', 'choose', topic=1, context=[2]
            ),
        )

    def test_make_offers(self):
        """Send no token: nobody acts for the caller."""
        scheduler = Scheduler()
        contexts = []

        def schedule(context, **message):
            contexts.append(context)
            return OfferAnswer([], {}, None).to_dict()

        scheduler.schedule = schedule
        self.serve(scheduler)
        self.context.auth_token = TOKEN
        self.client().make_offers(self.context, OfferQuestion(
            BootRequest(BootFlavor(1, 512)), [generate_request_id()],
            deadline_s=20,
        ))
        (sent,) = contexts
        self.assertEqual('u', sent['user_id'])
        self.assertNotIn(TOKEN, repr(sent))
        self.assertEqual(TOKEN, self.context.auth_token)

    def test_errors(self):
        """Keep the type of typed errors, and the name of others."""
        self.serve(Scheduler())
        ask = self.client().schedule
        self.assertEqual('no such topic', self.error(
            client.UnknownTopicError, ask, self.context, 't', 'typed'
        ))
        self.assertEqual('schedule: KeyError: \'x\'', self.error(
            client.SchedulingError, ask, self.context, 't', 'broken'
        ))

    def test_error_of_a_newer_scheduler(self):
        """Raise the nearest known class, with the same message."""
        self.serve(Scheduler())
        self.assertIn('a sentence', self.error(
            client.SchedulingError, self.client().schedule, self.context,
            't', 'raise',
        ))

    def test_timeout(self):
        """End the call in time, though the scheduler works on."""
        scheduler = Scheduler()
        self.serve(scheduler)
        self.addCleanup(scheduler.release.set)
        before = time.monotonic()
        self.assertIn('whether it ran is not known', self.error(
            client.RequestTimeoutError, self.client(timeout_s=1).schedule,
            self.context, 't', 'wait',
        ))
        self.assertLess(time.monotonic() - before, 10)

    def test_nobody_listens(self):
        """Raise a timeout where no scheduler serves."""
        self.error(
            client.RequestTimeoutError, self.client(timeout_s=1).schedule,
            self.context, 't', 'choose',
        )

    def test_silence(self):
        """Say soon that no scheduler answers, before anything long.

        A queue has the question: it is not known that none runs.
        """
        self.patch(connection, 'PRESENCE_S', 0.5)
        caller = self.client(timeout_s=60)
        boot = client.BootRequest(client.BootFlavor(1, 512))
        before = time.monotonic()
        for call, arguments in (
            (caller.simulate, [boot]), (caller.capacity, [boot]),
            (caller.in_force, []),
            (caller.diagnose, [Placement('q', 0), NOW]),
            (caller.mirror_states, []), (caller.service_capabilities, []),
        ):
            self.assertIn('busy, hang or were stopped', self.error(
                client.RequestTimeoutError, call, self.context, *arguments
            ))
        self.assertLess(time.monotonic() - before, 30)

    def test_older_scheduler(self):
        """Say what an older scheduler lacks."""
        self.serve(OldScheduler())
        self.assertIn('schedule: UnsupportedVersion', self.error(
            client.TooOldError, self.client().schedule, self.context,
            't', 'choose',
        ))

    def test_unreadable_answer(self):
        """Raise an error of the library for an answer of other types."""
        class Odd(Scheduler):
            target = messaging.Target(version=wire.VERSION)

            def required_stats(self, context):
                return []

            def simulate(self, context, **message):
                return {'project_id': None}

        self.serve(Odd())
        self.assertIn('the answer to simulate can\'t be read', self.error(
            client.SchedulingError, self.client().simulate, self.context,
            client.BootRequest(client.BootFlavor(1, 512)),
        ))

    def test_diagnose(self):
        """Send the query with the digest; read the diagnosis, or None."""
        class Diagnosing(Scheduler):
            target = messaging.Target(version=wire.VERSION)

            def required_stats(self, context):
                return []

            def diagnose(self, context, query, offered, ended):
                return {'at': ended, 'query': query} if offered else None

        self.serve(Diagnosing())
        ask = self.client().diagnose
        self.assertEqual(
            PlacementDiagnosis(NOW.isoformat(), 'limit=2'),
            ask(self.context, Placement('limit=2', 0, offered='x'), NOW),
        )
        self.assertIsNone(ask(self.context, Placement('limit=2', 0), NOW))

    def test_nobody(self):
        """Begin with what was requested where no queue is there."""
        caller = self.client()
        self.patch(
            messaging.rpc.client._BaseCallContext, 'call', _return_message
        )
        request = client.BootRequest(client.BootFlavor(1, 512))
        for wish, call, *more in (
            ('simulate', caller.simulate, request),
            ('count what fits', caller.capacity, request),
            ('list what is enabled', caller.in_force),
            ('list mirrors', caller.mirror_states),
        ):
            self.assertEqual(
                f'{wish}: no nova-ext-scheduler is on this message bus',
                self.error(
                    client.NoSchedulerError, call, self.context, *more
                ),
            )

    def test_newer_scheduler(self):
        """Call a newer scheduler."""
        self.serve(NewScheduler())
        self.assertEqual(
            ['t', 'choose', {}, 'u'],
            self.client().schedule(self.context, 't', 'choose'),
        )

    def test_select_destinations(self):
        """Call Nova's own scheduler, on Nova's topic."""
        self.serve(Nova(), wire.NOVA_TOPIC)
        ask = self.client().select_destinations
        chosen = ask(self.context, {**LEGACY, 'num_instances': 2}, {})
        self.assertEqual(['one', 'one'], [host['host'] for host in chosen])
        self.assertEqual('There are not enough hosts available.', self.error(
            client.NoHostError, ask, self.context,
            {**LEGACY, 'num_instances': 3}, {},
        ))

    def test_select_destinations_of_too_little(self):
        """Name what a request lacks, and ask nobody."""
        ask = self.client().select_destinations
        for lacking, words in (
            ({}, 'image, a mapping, instance_type, a mapping, '
                 'instance_properties, a mapping'),
            ({**LEGACY, 'image': None}, 'image, a mapping'),
            ({**LEGACY, 'instance_type': {'vcpus': 1}},
             'instance_type.name, instance_type.memory_mb, '
             'instance_type.root_gb, instance_type.ephemeral_gb, '
             'instance_type.swap, instance_type.extra_specs, '
             'instance_type.disabled, instance_type.is_public'),
            ({**LEGACY, 'instance_properties': {}},
             'instance_properties.uuid'),
        ):
            self.assertEqual(
                f'select_destinations: request_spec lacks {words}',
                self.error(client.WrongArgumentsError, ask, self.context,
                           lacking, {}),
            )

    def test_url(self):
        """Refuse a malformed one, and show no password."""
        for url in ('rabbit://u:pass@h:port/', 'nothing://u:pass@h/'):
            line = self.error(
                client.UnreachableError, client.SchedulerClient, url=url
            )
            self.assertNotIn('pass', line)

    def test_url_of_the_configuration(self):
        """Prefer nova-ext's URL to Nova's, which may name a cell's bus."""
        self.serve(Scheduler())
        conf = self.useFixture(fixture.Config(cfg.CONF))
        conf.conf([], default_config_files=[], default_config_dirs=[])
        self.client()  # registers the option
        conf.config(transport_url='rabbit://127.0.0.1:1/')
        conf.config(group='nova_ext', transport_url=base.URL)
        self.assertEqual(
            ['t', 'm', {}, 'u'],
            self.client(url=None).schedule(self.context, 't', 'm'),
        )
        conf.config(group='nova_ext', transport_url='nosuch://')
        self.assertRaises(client.UnreachableError, self.client, url=None)
        self.client(url=base.URL)

    def test_no_broker(self):
        """End casts and calls in time, where a broker is away."""
        # A thread of oslo.messaging's goes on trying, and would tell of it in
        # the midst of other tests.
        log = logging.getLogger('oslo.messaging._drivers.impl_rabbit')
        log.disabled = True
        with client.SchedulerClient(
            url='rabbit://u:p@127.0.0.1:1/', timeout_s=1
        ) as away:
            self.error(
                client.RequestTimeoutError, away.schedule, self.context,
                't', 'choose',
            )
            self.error(
                client.UnreachableError, away.update_service_capabilities,
                self.context, 't', 'h', {},
            )

    def test_malformed_report(self):
        """Refuse it before it is sent."""
        self.assertIn('is not finite', self.error(
            client.WrongArgumentsError,
            self.client().update_service_capabilities, self.context, 't',
            'h', {'load': float('nan')},
        ))
