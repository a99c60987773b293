"""Packages below examples/: their own tests, without Nova and a broker."""

import os
import subprocess
import sys
from pathlib import Path

import testtools

EXAMPLES = Path(__file__).parents[2] / 'examples'


class ExamplesTest(testtools.TestCase):
    """As their READMEs say."""

    def test_image_prefetch(self):
        """Its tests pass, and import no Nova."""
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c',
             'import sys; sys.modules["nova"] = None; import unittest; '
             'unittest.main(module=None, argv=["", "discover"])'],
            cwd=EXAMPLES / 'image-prefetch', text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, 'PYTHONPATH': ''},
        )
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertRegex(done.stdout, r'Ran [1-9]\d* tests')
