"""Show the verdicts on a file."""

import argparse
import contextlib
import io
import threading
from pathlib import Path
from types import SimpleNamespace

import fixtures
import testtools

from nova_ext.core.base.progress import Progress
from nova_ext.core.decision import decision as d
from nova_ext.lab.cli import try_file
from nova_ext.lab.trial import trial_socket, verdicts
from tests.unit.lab import base

DECISION = d.Decision('', 'req-1', attempts=[d.Attempt(
    '', 0, 4, steps=[d.Step('EvenFilter', 'filter', 4, 2, rejections=[
        d.Rejection('is odd ' * 30, 2, ['cmp-1', 'cmp-3']),
    ])],
    weighers=[d.Weighing('NameWeigher', {'cmp-2': 7.0, 'cmp-4': 5.0}, {})],
    ranked=['cmp-2', 'cmp-4'], ranked_count=2,
)])


class VerdictsTest(testtools.TestCase):
    """Show a row a host."""

    def test_rows(self):
        """List the best host last, with its raw weight."""
        columns, rows = verdicts.list_verdicts(DECISION, ['NameWeigher'])
        self.assertEqual(('Host', 'Verdict', 'Why', 'NameWeigher'), columns)
        self.assertEqual([
            ('cmp-1', 'rejected by EvenFilter', 'is odd ' * 30, ''),
            ('cmp-3', 'rejected by EvenFilter', 'is odd ' * 30, ''),
            ('cmp-4', 'passes', 'place 2 of 2', '5.0'),
            ('cmp-2', 'passes', 'place 1 of 2', '7.0'),
        ], rows)

    def test_width(self):
        """Fit the documented width, whatever a filter says."""
        shown = io.StringIO()
        command = try_file.Try(SimpleNamespace(stdout=shown), None)
        verdict = verdicts.Verdict(
            {'weigher': ['NameWeigher']}, 'the server is ACTIVE', DECISION
        )
        command._show(lambda path: verdict, Path('mine.py'))
        self.assertIn('NameWeigher: the server is ACTIVE', shown.getvalue())
        widths = [len(line) for line in shown.getvalue().splitlines()]
        self.assertLessEqual(max(widths), 100)
        self.assertIn('cmp-2', shown.getvalue())


class WatchTest(testtools.TestCase):
    """Watch a file."""

    def test_watch(self):
        """Yield at first, and after each new text that is not empty."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.trial.verdicts._POLL_S', 0.01
        ))
        path = Path(self.useFixture(fixtures.TempDir()).join('mine.py'))
        path.write_text('one')
        saves = verdicts.watch(path)
        next(saves)
        # This happens while the first verdict is worked out.
        path.write_text('two')
        next(saves)
        path.unlink()
        late = threading.Timer(0.1, path.write_text, ['three'])
        late.start()
        next(saves)
        self.assertEqual('three', path.read_text())


class JudgeTest(base.LabTestCase):
    """Simulate where that is possible."""

    def choose(self, lab, *, boot=False):
        """Return the note that servers are booted."""
        note = io.StringIO()
        with contextlib.redirect_stderr(note):
            try_file._choose_judge(
                lab, argparse.Namespace(hint=[], boot=boot), Progress()
            )
        return note.getvalue()

    def test_stock(self):
        """Boot with Nova's own scheduler."""
        lab, _ = self.new_lab(stock_schedulers=1)
        self.assertEqual(
            "Nova's own scheduler decides here, and simulates nothing: a "
            'server is booted for each verdict\n', self.choose(lab),
        )
        self.assertEqual('', self.choose(lab, boot=True))

    def test_silent(self):
        """Boot where our scheduler does not answer."""
        lab, _ = self.new_lab()
        self.assertIn('no scheduler of the lab answers: ', self.choose(lab))
        trial_socket.serve(lab, 'lab', dict)
        self.assertEqual('', verdicts.find_obstacle(lab))
