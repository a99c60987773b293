"""Test plugins that are run in a child process."""

import os
import pathlib
import time

import fixtures

from nova_ext.lint.subject import plugin_loading
from tests.unit.lint import base


class TestLoad(base.LintTestCase):
    """Test what the child finds, and that it does no harm to lint."""

    def load(self, text, *names, timeout_s=20):
        """Load names of a module with a text."""
        self.write('mine.py', text)
        paths = [f'mine.{name}' for name in names]
        results = plugin_loading.load(paths, [str(self.folder)], timeout_s)
        return [results[path] for path in paths if path in results]

    def test_names(self):
        """Load a class, and a function that returns classes."""
        one, several = self.load(
            'class One: pass\nclass Two: pass\n'
            'def both(): return [One, Two]\n', 'One', 'both',
        )
        self.assertEqual((('One',), ''), (one.names, one.problem))
        self.assertEqual(('One', 'Two'), several.names)

    def test_raises(self):
        """Give the cause and the plugin's line, and load the others."""
        bad, good = self.load(
            'class Good: pass\n\n'
            'def bad():\n    return {}["key"]\n', 'bad', 'Good',
        )
        self.assertEqual("KeyError: 'key'", bad.problem)
        self.assertEqual(
            ('mine.py', 4),
            (pathlib.Path(bad.location.file).name, bad.location.line),
        )
        self.assertEqual(('Good',), good.names)

    def test_syntax(self):
        """Report a file that is no Python."""
        result, = self.load('class Bad:\n    print "x"\n', 'Bad')
        self.assertIn('SyntaxError', result.problem)
        self.assertEqual(2, result.location.line)

    def test_no_class(self):
        """Report a function that returns something else."""
        result, = self.load('def all(): return ["Name"]\n', 'all')
        self.assertIn('no class', result.problem)

    def test_file(self):
        """Run a plain file."""
        path = self.write('plain.py', 'raise RuntimeError("no")\n')
        result = plugin_loading.load([path])[path]
        self.assertEqual('RuntimeError: no', result.problem)
        self.assertEqual(1, result.location.line)

    def test_hangs(self):
        """End the child in time, with what it started."""
        pid = self.folder / 'pid'
        begun = time.monotonic()
        result, = self.load(
            'import pathlib, subprocess, time\n'
            'child = subprocess.Popen(["sleep", "600"])\n'
            f'pathlib.Path({str(pid)!r}).write_text(str(child.pid))\n'
            'time.sleep(600)\n', 'Never', timeout_s=10,
        )
        self.assertIn('within 10 s', result.problem)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertTrue(self.gone(int(pid.read_text())))

    def gone(self, pid):
        """Say whether a process ends, in 10 s at most."""
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
        """Allow no more memory than the limit."""
        result, = self.load('x = bytearray(4 * 2**30)\n', 'X')
        self.assertIn('ended the process', result.problem)

    def test_ends(self):
        """Blame a plugin that ends its process."""
        result, = self.load('import os\nos._exit(7)\n', 'X')
        self.assertEqual('ended the process with status 7', result.problem)

    def test_environment(self):
        """Pass none of the caller's credentials."""
        self.useFixture(
            fixtures.EnvironmentVariable('OS_PASSWORD', 's3cr3t')
        )
        self.assertIn('OS_PASSWORD', os.environ)
        result, = self.load(
            'import os\nraise RuntimeError(os.environ.get("OS_PASSWORD"))\n',
            'X',
        )
        self.assertEqual('RuntimeError: None', result.problem)

    def test_nothing(self):
        """Start nothing where there is nothing to load."""
        self.assertEqual({}, plugin_loading.load([]))
