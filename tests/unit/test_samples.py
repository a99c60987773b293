"""Tests of the generated samples."""

import re
import subprocess
import sys
from pathlib import Path

import fixtures
import testtools

from nova_ext.conf import all_options

ROOT = Path(__file__).parents[2]
ETC = ROOT / 'etc' / 'nova_ext'


class SamplesTest(testtools.TestCase):
    """The generators' configurations, with the real generators."""

    def setUp(self):
        """Generate into a folder of the test's own."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def run_tool(self, name, *words, status=0):
        """Run a tool of this environment.

        :returns: what it said.
        """
        ended = subprocess.run(
            [Path(sys.prefix, 'bin', name), *words], cwd=ROOT,
            capture_output=True, text=True, check=False,
        )
        self.assertEqual(status, ended.returncode, ended.stderr)
        return ended.stdout + ended.stderr

    def test_configuration(self):
        """Every option of ours is in it; it is valid; a typo is not."""
        sample = self.folder / 'nova-ext.conf'
        generator = ETC / 'config-generator.conf'
        self.run_tool('oslo-config-generator', '--config-file', generator,
                      '--output-file', sample)
        lines = sample.read_text()
        for group, options in all_options.list_all_opts():
            self.assertIn(f'\n[{group}]\n', lines)
            for option in options:
                self.assertIn(f'\n#{option.dest} =', lines)
        check = ('--config-file', generator, '--input-file', sample)
        # Defaults are comments there.
        sample.write_text(re.sub(r'(?m)^#(?=\w+ = (?!<None>))', '', lines))
        self.run_tool('oslo-config-validator', *check)
        sample.write_text(f'{lines}\n[nova_ext]\nschedulr_driver = x\n')
        self.assertIn('schedulr_driver', self.run_tool(
            'oslo-config-validator', *check, status=1
        ))

    def test_policy(self):
        """Rules are in it, with their defaults as comments."""
        sample = self.folder / 'policy.yaml'
        self.run_tool('oslopolicy-sample-generator', '--config-file',
                      ETC / 'policy-generator.conf', '--output-file', sample)
        for rule in ('requested_host', 'zones:get'):
            self.assertIn(f'#"nova_ext:{rule}": ', sample.read_text())
