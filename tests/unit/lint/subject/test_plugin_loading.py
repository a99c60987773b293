"""Plugins that are run, in a child process."""

import os
import pathlib
import time

import fixtures

from nova_ext.lint.subject import plugin_loading
from tests.unit.lint import base


class TestLoad(base.LintTestCase):
    """What the child finds, and that it can do no harm to lint."""

    def load(self, text, *names, timeout_s=20):
        """Load names of a module with a text."""
        self.write('mine.py', text)
        paths = [f'mine.{name}' for name in names]
        found = plugin_loading.load(paths, [str(self.folder)], timeout_s)
        return [found[path] for path in paths if path in found]

    def test_names(self):
        """A class, and a function that returns classes."""
        one, several = self.load(
            'class One: pass\nclass Two: pass\n'
            'def both(): return [One, Two]\n', 'One', 'both',
        )
        self.assertEqual((('One',), ''), (one.names, one.problem))
        self.assertEqual(('One', 'Two'), several.names)

    def test_raises(self):
        """The cause, and the plugin's own line; the others are loaded."""
        bad, good = self.load(
            'class Good: pass\n\n'
            'def bad():\n    return {}["key"]\n', 'bad', 'Good',
        )
        self.assertEqual("KeyError: 'key'", bad.problem)
        self.assertEqual(
            ('mine.py', 4), (pathlib.Path(bad.place.file).name, bad.place.line)
        )
        self.assertEqual(('Good',), good.names)

    def test_syntax(self):
        """A file that is no Python."""
        found, = self.load('class Bad:\n    print "x"\n', 'Bad')
        self.assertIn('SyntaxError', found.problem)
        self.assertEqual(2, found.place.line)

    def test_no_class(self):
        """A function that returns something else."""
        found, = self.load('def all(): return ["Name"]\n', 'all')
        self.assertIn('no class', found.problem)

    def test_file(self):
        """A plain file is run."""
        path = self.write('plain.py', 'raise RuntimeError("no")\n')
        found = plugin_loading.load([path])[path]
        self.assertEqual('RuntimeError: no', found.problem)
        self.assertEqual(1, found.place.line)

    def test_hangs(self):
        """It is ended in time, with what it started."""
        pid = self.folder / 'pid'
        begun = time.monotonic()
        found, = self.load(
            'import pathlib, subprocess, time\n'
            'child = subprocess.Popen(["sleep", "600"])\n'
            f'pathlib.Path({str(pid)!r}).write_text(str(child.pid))\n'
            'time.sleep(600)\n', 'Never', timeout_s=10,
        )
        self.assertIn('within 10 s', found.problem)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertTrue(self.gone(int(pid.read_text())))

    def gone(self, pid):
        """Whether a process has ended, in 10 s at most."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                state = pathlib.Path(f'/proc/{pid}/stat').read_text()
            except (FileNotFoundError, ProcessLookupError):
                return True
            if state.rpartition(')')[2].split()[0] == 'Z':
                return True
            time.sleep(0.05)
        return False

    def test_memory(self):
        """It can't take more memory than the limit."""
        found, = self.load('x = bytearray(4 * 2**30)\n', 'X')
        self.assertIn('ended the process', found.problem)

    def test_ends(self):
        """A plugin that ends its process is to blame, not lint."""
        found, = self.load('import os\nos._exit(7)\n', 'X')
        self.assertEqual('ended the process with status 7', found.problem)

    def test_environment(self):
        """The caller's credentials stay with the caller."""
        self.useFixture(
            fixtures.EnvironmentVariable('OS_PASSWORD', 's3cr3t')
        )
        self.assertIn('OS_PASSWORD', os.environ)
        found, = self.load(
            'import os\nraise RuntimeError(os.environ.get("OS_PASSWORD"))\n',
            'X',
        )
        self.assertEqual('RuntimeError: None', found.problem)

    def test_nothing(self):
        """Without anything to load nothing is started."""
        self.assertEqual({}, plugin_loading.load([]))
