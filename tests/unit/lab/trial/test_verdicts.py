"""What is shown of a file that is tried."""

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
    """A row a host."""

    def test_rows(self):
        """The best host last, with its raw weight."""
        columns, rows = verdicts.verdicts(DECISION, ['NameWeigher'])
        self.assertEqual(('Host', 'Verdict', 'Why', 'NameWeigher'), columns)
        self.assertEqual([
            ('cmp-1', 'rejected by EvenFilter', 'is odd ' * 30, ''),
            ('cmp-3', 'rejected by EvenFilter', 'is odd ' * 30, ''),
            ('cmp-4', 'passes', 'place 2 of 2', '5.0'),
            ('cmp-2', 'passes', 'place 1 of 2', '7.0'),
        ], rows)

    def test_width(self):
        """Whatever a filter says, the table is no wider than documented."""
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


class SavedTest(testtools.TestCase):
    """Each save has a verdict."""

    def test_saved(self):
        """At the beginning, and each text after, but for an empty one."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.trial.verdicts._POLL_S', 0.01
        ))
        path = Path(self.useFixture(fixtures.TempDir()).join('mine.py'))
        path.write_text('one')
        saves = verdicts.saved(path)
        next(saves)
        # While the first verdict is found.
        path.write_text('two')
        next(saves)
        path.unlink()
        late = threading.Timer(0.1, path.write_text, ['three'])
        late.start()
        next(saves)
        self.assertEqual('three', path.read_text())


class HowTest(base.LabTestCase):
    """A boot is simulated where it can be."""

    def said(self, place, *, boot=False):
        """What is said before a server is booted."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            try_file._judge(
                place, argparse.Namespace(hint=[], boot=boot), Progress()
            )
        return said.getvalue()

    def test_stock(self):
        """It simulates nothing."""
        place, _ = self.new_lab(stock_schedulers=1)
        self.assertEqual(
            "Nova's own scheduler decides here, and simulates nothing: a "
            'server is booted for each verdict\n', self.said(place),
        )
        self.assertEqual('', self.said(place, boot=True))

    def test_silent(self):
        """Ours does not answer."""
        place, _ = self.new_lab()
        self.assertIn('no scheduler of the lab answers: ', self.said(place))
        trial_socket.serve(place, 'lab', dict)
        self.assertEqual('', verdicts.why_boot(place))
