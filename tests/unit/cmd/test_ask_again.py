"""Ask again about what left no decision."""

from datetime import UTC, datetime, timedelta
from unittest import mock

import testtools

from nova_ext.cmd import ask_again
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.explanation.server_history import History
from nova_ext.scheduler.what_if import simulate
from nova_ext.scheduler.what_if.simulate import offline_simulation
from tests.unit.core.explanation import test_explain

CONFIGURATION = ['/f'], ['/d']


def fail(action, reason='No valid host was found.', **shown):
    """Return the history of an action that failed for a reason."""
    newest = {
        'action': action, 'request_id': 'req-1',
        'start_time': '2026-11-22T12:00:01.000000', 'events': [
            {'event': 'e', 'result': 'Error', 'details': reason},
        ],
    }
    return History({
        'id': 's', 'status': 'ERROR', 'flavor': {'original_name': 'big'},
        'image': {'id': 'i'}, **shown,
    }, [newest], newest)


class AskAgainTest(testtools.TestCase):
    """Fake the simulation."""

    def setUp(self):
        """Answer that placement offers nothing."""
        super().setUp()
        self.asked = []
        self.outcome = d.NO_VALID_HOST

        def repeat(files, folders, server, ignore_hosts, ranked):
            self.asked.append((files, folders, server, ignore_hosts))
            return test_explain.decide(
                simulated=True, hosts_total=3, outcome=self.outcome
            )

        self.patch(offline_simulation, 'repeat', repeat)
        self.patch(
            offline_simulation, 'read_forced', lambda *words: 'cmp-2'
        )

    def ask(self, history):
        """Ask about server s."""
        return ask_again.ask(CONFIGURATION, 's', history)

    def test_now(self):
        """Say that the answer is of now, and what is asked."""
        for history, ignored in (
            (None, None), (fail('create'), None), (fail('unshelve'), []),
            (fail('migrate', **{'OS-EXT-SRV-ATTR:host': 'h'}), ['h']),
        ):
            now = self.ask(history)
            self.assertTrue(now.clause.startswith('asked again now: '))
            self.assertIn('the answer of now, not of then', now.notes[0])
            self.assertEqual(
                {'rows', 'weights', 'decision'}, set(now.answer)
            )
            self.assertEqual(
                (['/f'], ['/d'], 's', ignored), self.asked.pop()
            )

    def test_placed_now(self):
        """Say what the answer lacks, where a host fits now."""
        self.outcome = d.PLACED
        now = self.ask(None)
        self.assertTrue(now.clause.startswith(
            'asked again now, a host fits: '
        ))
        self.assertIn(
            'a host fits now: the cloud has changed since',
            ' '.join(now.notes),
        )

    def test_named_host_placed_now(self):
        """Tell no host where the request may have named another one."""
        self.outcome = d.PLACED
        for action in ('create', 'migrate', 'evacuate', 'unshelve'):
            now = self.ask(fail(action, **{'OS-EXT-SRV-ATTR:host': 'h'}))
            self.assertEqual(('', None), (now.clause, now.answer))
            (note,) = now.notes
            self.assertIn('named its host, which Nova does not keep', note)
            self.assertIn('what holds now says: nova-ext simulate', note)

    def test_other_failure(self):
        """Another reason is told already."""
        for action in ('migrate', 'create'):
            now = self.ask(fail(action, 'cmp-1 is down'))
            self.assertEqual([], self.asked)
            self.assertNotIn('asked again', now.clause)

    def test_forced(self):
        """A forced host is named: no filter was asked."""
        newest = {**fail('create').newest, 'events': []}
        now = self.ask(History({'id': 's'}, [newest], newest))
        self.assertEqual(
            'the request forced its host, cmp-2: no filter was asked',
            now.clause,
        )

    def test_command(self):
        """Where it can't be asked, the command is there."""
        def fails(*words):
            raise NovaExtError('no nova.conf')

        self.patch(offline_simulation, 'repeat', fails)
        for history, reason, command in (
            (fail('create'), 'no nova.conf',
             'nova-ext simulate --flavor big --image i'),
            (fail('resize'), 'Nova does not keep what resize requested',
             'nova-ext simulate --flavor <flavor> --image i'),
        ):
            now = self.ask(history)
            self.assertEqual(
                ('', [f'not asked again: {reason}; what holds now says: '
                      f'{command}'], None),
                (now.clause, now.notes, now.answer),
            )
        self.assertEqual([], list(self.ask(None).notes))

    def test_without_nova(self):
        """Where Nova is not installed, the command is there, too."""
        self.addCleanup(
            setattr, simulate, 'offline_simulation', offline_simulation
        )
        del simulate.offline_simulation
        with mock.patch.dict(
            'sys.modules', {offline_simulation.__name__: None}
        ):
            now = self.ask(fail('create'))
        self.assertIn('not asked again: Nova is not installed', now.notes[0])


class DiagnoseTest(testtools.TestCase):
    """Hosts that did not reach a stock scheduler's filters."""

    def setUp(self):
        """A decision of now, of which two hosts did not reach the filters."""
        super().setUp()
        self.flavor = {'name': 'big'}
        self.decision = d.Decision(
            datetime.now(UTC).isoformat(), 'req-1', ['s'],
            operation='first boot', by={'mode': 'plugin'},
            request={'flavor': {'name': 'big'}},
            absent=d.Rejection('did not reach the filters', 2, ['a', 'b']),
        )
        self.patch(offline_simulation, 'repeat', self.repeat)

    def repeat(self, files, folders, server, ignore_hosts, ranked):
        """Answer that a and c lack memory, as c may by now."""
        self.assertIsNone(ignore_hosts)
        made = test_explain.decide(simulated=True)
        made.request = {'flavor': self.flavor}
        made.asked_again = d.PlacementDiagnosis(
            (datetime.now(UTC) + timedelta(seconds=1)).isoformat(), 'q',
            left_out=[d.LeftOut(['lacks MEMORY_MB'], 2, ['a', 'c'])],
            examples=['c: MEMORY_MB 1', 'a: MEMORY_MB 2'],
        )
        return made

    def diagnose(self):
        """Return what is known of the hosts, and of one."""
        self.assertEqual(
            '', ask_again.diagnose(CONFIGURATION, self.decision, 's')
        )
        known = self.decision.asked_again
        return known and (known.left_out, known.examples)

    def test_now(self):
        """Tell of those hosts alone."""
        self.assertEqual(
            ([d.LeftOut(['lacks MEMORY_MB'], 1, ['a'])], ['a: MEMORY_MB 2']),
            self.diagnose(),
        )
        self.assertGreater(self.decision.asked_again.after_s, 0)

    def test_other_request(self):
        """A server that was resized since says nothing about then."""
        self.flavor = {'name': 'small'}
        self.assertIsNone(self.diagnose())

    def test_late(self):
        """Hosts may lack something else by now, and after a long answer."""
        for before_s in (3600 * 24, 11, 9.5):
            self.decision.at = (
                datetime.now(UTC) - timedelta(seconds=before_s)
            ).isoformat()
            self.assertIn('it may have changed since', ask_again.diagnose(
                CONFIGURATION, self.decision, 's'
            ))
            self.assertIsNone(self.decision.asked_again)

    def test_named_host(self):
        """Nova does not keep which host was named."""
        self.decision.operation = 'pinned'
        self.assertIsNone(self.diagnose())

    def test_unreachable(self):
        """Say why it is not known."""
        def fails(*words):
            raise NovaExtError('no nova.conf')

        self.patch(offline_simulation, 'repeat', fails)
        self.assertEqual(
            f'{placement_diagnosis.NOT_ASKED}: no nova.conf',
            ask_again.diagnose(CONFIGURATION, self.decision, 's'),
        )
