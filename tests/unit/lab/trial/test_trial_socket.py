"""Ask a lab's schedulers over their sockets."""

import socket
import threading

import fixtures

from nova_ext.lab.state import paths
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.trial import trial_socket
from tests.unit.lab import base


class TrialSocketTest(base.LabTestCase):
    """Return an answer, or say in a line why there is none."""

    def setUp(self):
        """Make a lab whose scheduler repeats the question."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.lab, _ = self.new_lab()
        self.answer = lambda question: {'question': question}

    def serve(self, host='scheduler-1'):
        """Listen in this process, as a scheduler does."""
        trial_socket.serve(
            self.lab, host, lambda question: self.answer(question)
        )

    def refusal(self, question=None):
        """Return the line of the error."""
        error = self.assertRaises(
            LabError, trial_socket.ask, self.lab, question or {}
        )
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_answer(self):
        """Answer one question after another, whatever letters they have."""
        self.serve()
        for text in ('one\ntwo', 'größer', 'x' * 10**6):
            self.assertEqual(
                {'question': {'text': text}},
                trial_socket.ask(self.lab, {'text': text}),
            )

    def test_no_scheduler(self):
        """Refuse where none listens, and where it has ended."""
        self.assertIn('--name one --no-stock', self.refusal())
        with socket.socket(socket.AF_UNIX) as ended:
            ended.bind(str(self.lab.run / 'scheduler-1.trials'))
            ended.listen()
        self.assertIn(
            'no scheduler of lab one takes a file to try', self.refusal()
        )

    def test_another_scheduler(self):
        """Ask one that listens when others have ended."""
        with socket.socket(socket.AF_UNIX) as ended:
            ended.bind(str(self.lab.run / 'scheduler-1.trials'))
        self.serve('scheduler-2')
        self.assertEqual({'question': {}}, trial_socket.ask(self.lab, {}))

    def test_started_again(self):
        """Ask the later one: a worker that was killed comes back."""
        self.serve()
        self.answer, repeat = lambda question: {'later': True}, self.answer
        self.serve()
        self.assertEqual({'later': True}, trial_socket.ask(self.lab, {}))
        self.answer = repeat

    def test_only_its_owner(self):
        """Let nobody else enter the folder of the socket."""
        self.serve()
        (path,) = self.lab.run.glob('*.trials')
        self.assertIn(self.lab.path, path.parents)
        self.assertEqual(0o700, self.lab.path.stat().st_mode & 0o777)

    def test_long_path(self):
        """Listen in a folder deeper than a socket's name may be."""
        self.lab = paths.LabFolder(self.folder / ('deep' * 40) / 'one')
        self.lab.create()
        self.serve()
        self.assertEqual({'question': {}}, trial_socket.ask(self.lab, {}))

    def test_refused(self):
        """Return the scheduler's error; it goes on."""
        self.serve()

        def refuse(question):
            raise LabError('mine.py:3: SyntaxError: invalid syntax')

        def fail(question):
            raise KeyError('a\nb')

        self.answer, repeat = refuse, self.answer
        self.assertEqual(
            'mine.py:3: SyntaxError: invalid syntax', self.refusal()
        )
        self.answer = fail
        self.assertIn('the trial failed: KeyError: ', self.refusal())
        self.assertIn('Traceback', self.log.output)
        self.answer = repeat
        self.assertEqual({'question': {}}, trial_socket.ask(self.lab, {}))

    def test_no_answer(self):
        """Give up on a file that waits, and on a scheduler that ends."""
        waiting = threading.Event()
        self.addCleanup(waiting.set)
        self.answer = lambda question: waiting.wait() and {}
        self.serve()
        with fixtures.MonkeyPatch(
            'nova_ext.lab.trial.trial_socket.DEADLINE_S', 0.1
        ):
            self.assertIn(
                'nova-ext lab restart scheduler --name one', self.refusal()
            )
        with socket.socket(socket.AF_UNIX) as ending:
            path = self.lab.run / 'scheduler-0.trials'
            ending.bind(str(path))
            ending.listen()
            threading.Thread(
                target=lambda: ending.accept()[0].close()
            ).start()
            self.assertIn('ended before it answered', self.refusal())
