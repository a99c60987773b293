"""What a worker tells of all workers' mirrors."""

import contextlib
from unittest import mock

import fixtures
import oslo_messaging as messaging

from nova_ext.scheduler.base import fan_out
from nova_ext.scheduler.rpc import mirror_endpoint
from tests.unit.scheduler import configured

STATE = {'host': 'two', 'worker': 3, 'mode': 'on', 'state': 'loading'}


class MirrorEndpointTest(configured.ConfiguredTestCase):
    """Ask a worker without a mirror; fan-out is a function of a test."""

    def setUp(self):
        """Wait for a tenth of a second at most."""
        super().setUp()
        self.endpoint = mirror_endpoint.MirrorEndpoint('one', 7, None)
        patched = mock.patch.object(mirror_endpoint, '_AT_MOST_S', 0.1)
        patched.start()
        self.addCleanup(patched.stop)

    def ask(self, cast):
        """Return the states; messages go to a function."""
        with mock.patch.object(fan_out, 'cast', cast):
            return self.endpoint.mirror_states(None)

    def test_nobody_answers(self):
        """The worker that is asked is listed, whoever else is busy."""
        self.assertEqual(
            [{'host': 'one', 'worker': 7, 'mode': 'off', 'state': 'off'}],
            self.ask(lambda *_, **__: None),
        )

    def test_all_answer(self):
        """Each is listed once, by host and worker."""
        def cast(context, method, question, **_):
            for host, worker in (('two', 3), ('one', 7), ('one', 5)):
                self.endpoint.take_mirror_report(
                    context, question=question,
                    report={**STATE, 'host': host, 'worker': worker},
                )

        self.assertEqual(
            [('one', 5), ('one', 7), ('two', 3)],
            [(each['host'], each['worker']) for each in self.ask(cast)],
        )

    def test_malformed_reports(self):
        """Leave out what no worker sends, and log one line."""
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        malformed = [
            7, None, {}, [STATE], {**STATE, 'host': None},
            {**STATE, 'worker': '3'}, {**STATE, 'worker': True},
            {**STATE, 'worker': -1}, {**STATE, 'mode': 'x' * 256},
            {**STATE, 'age_s': float('nan')}, {**STATE, 'hosts': 'many'},
            {**STATE, 'refusing': [1]}, {**STATE, 'fallbacks': {'a': -1}},
            {**STATE, 'reason': 'x' * 2**20}, {**STATE, 'state': '\ud800'},
        ]

        def cast(context, method, question, **_):
            for report in (*malformed, STATE):
                with contextlib.suppress(messaging.ExpectedException):
                    self.endpoint.take_mirror_report(
                        context, question=question, report=report
                    )

        self.assertEqual(
            [('one', 7), ('two', 3)],
            [(each['host'], each['worker']) for each in self.ask(cast)],
        )
        line, = log.output.splitlines()
        self.assertIn('take_mirror_report: MirrorState: int where', line)

    def test_own_state(self):
        """Take nobody's word for the worker that is asked."""
        def cast(context, method, question, **_):
            self.endpoint.take_mirror_report(
                context, question=question,
                report={**STATE, 'host': 'one', 'worker': 7},
            )

        self.assertEqual(['off'], [each['mode'] for each in self.ask(cast)])

    def test_many_answers(self):
        """Take a thousand answers to one question."""
        def cast(context, method, question, **_):
            for worker in range(1100):
                self.endpoint.take_mirror_report(
                    context, question=question,
                    report={**STATE, 'worker': worker},
                )

        self.assertEqual(1001, len(self.ask(cast)))
