"""Run nova-ext new."""

import os
import tomllib
from pathlib import Path

import fixtures

from tests.unit.cmd import base


class NewTest(base.CommandTestCase):
    """Run it in an empty folder."""

    def setUp(self):
        """Enter the folder."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(self.folder)

    def test_what_to_do_next(self):
        """Print what it wrote, and what to type."""
        status, out, err = self.run_command('new', 'filter', 'gpu_only')
        self.assertEqual((0, ''), (status, err))
        self.assertIn('GpuOnlyFilter', out)
        self.assertIn('nova-ext lab try gpu-only/gpu_only.py\n', out)
        self.assertTrue((self.folder / 'gpu-only' / 'gpu_only.py').exists())
        # The tests import what the extra brings.
        self.assertIn(
            "  pip install -e './gpu-only[test]'\n"
            '  cd gpu-only && python -m unittest\n', out,
        )
        project = tomllib.loads(
            (self.folder / 'gpu-only' / 'pyproject.toml').read_text()
        )['project']
        self.assertEqual(
            ['hypothesis'], project['optional-dependencies']['test']
        )

    def test_cost(self):
        """Name no trial in a lab."""
        status, out, _ = self.run_command('new', 'cost', 'rack')
        self.assertEqual(0, status)
        self.assertIn('rack/rack.py holds RackCost', out)
        self.assertNotIn('lab', out)

    def test_refused(self):
        """Refuse in one line, with exit status 1."""
        status, out, err = self.run_command('new', 'filter', 'random')
        self.assertEqual((1, ''), (status, out))
        self.assertEqual(1, err.count('\n'), err)
        self.assertEqual([], list(self.folder.iterdir()))
        self.assertEqual(2, self.run_command('new', 'rule', 'gpu')[0])
