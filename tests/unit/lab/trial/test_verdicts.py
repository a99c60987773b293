"""Show the verdicts on a file."""

import io
import threading
from pathlib import Path
from types import SimpleNamespace

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.lab.cli import try_file
from nova_ext.lab.trial import verdicts

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
        verdict = verdicts.TrialVerdict(
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
