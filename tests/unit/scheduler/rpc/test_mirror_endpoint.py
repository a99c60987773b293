"""What a worker tells of all workers' mirrors."""

from unittest import mock

from nova_ext.scheduler.base import fan_out
from nova_ext.scheduler.rpc import mirror_endpoint
from tests.unit.scheduler import configured


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
                    report={'host': host, 'worker': worker},
                )

        self.assertEqual(
            [('one', 5), ('one', 7), ('two', 3)],
            [(each['host'], each['worker']) for each in self.ask(cast)],
        )
