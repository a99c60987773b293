"""What unstack.sh and clean.sh take away."""

import re
from pathlib import Path

from tests.devstack import base


class UnstackTest(base.DevstackTestCase):
    """After a stack with our scheduler, and beside other people's lines."""

    def setUp(self):
        """A stack, and a record of it."""
        super().setUp()
        self.local_conf(
            'NOVA_EXT_MODE=scheduler', plugins=('blazar', 'nova-ext')
        )
        self.stack()
        [record] = self.values('file', 'nova_ext_record')
        Path(record).parent.mkdir(parents=True)
        self.record = [Path(record), Path(f'{record}.1')]
        for path in self.record:
            path.touch()

    def test_unstack(self):
        """Nothing of ours runs, and no line is left that names it."""
        self.run_script('unstack')
        self.assertIsNone(self.command)
        self.assertEqual([], list((self.machine / 'units').iterdir()))
        self.assertEqual([], self.has('etc/nova-ext-policy.yaml'))
        left = self.nova_conf.read_text()
        for word in ('nova_ext', 'SpecifiedHostFilter', 'scheduler_driver',
                     'policy_file', 'decisions', 'default_prefix',
                     'plugin_files', 'rules'):
            self.assertNotIn(word, left)

    def test_record(self):
        """It can be read until clean.sh is run."""
        self.run_script('unstack')
        for path in self.record:
            self.assertTrue(path.exists())
        self.run_script('clean')
        self.assertEqual([], list(self.record[0].parent.iterdir()))

    def test_sections(self):
        """No heading of ours is left, but what others wrote below it is."""
        for meta, left in (
            ('', ()), ('[nova_ext_record]\nmax_files = 9', 'nova_ext_record'),
        ):
            self.local_conf(meta=f'[[post-config|$NOVA_CONF]]\n{meta}\n')
            self.stack()
            sections = self.sections()
            self.run_script('unstack')
            self.assertEqual(
                [name for name in sections
                 if not name.startswith('nova_ext') or name == left],
                self.sections(),
            )

    def sections(self):
        """Return the headings of nova.conf, in order."""
        return re.findall(r'^\[(.*)\]$', self.nova_conf.read_text(), re.M)

    def test_others(self):
        """Blazar's lines, Nova's and devstack's are."""
        self.run_script('unstack')
        self.assertEqual([base.NOVAS, base.BLAZARS],
                         self.values('available_filters'))
        [enabled] = self.values('enabled_filters')
        self.assertTrue(enabled.startswith('ComputeFilter,'), enabled)
        self.assertTrue(enabled.endswith(',BlazarFilter'), enabled)

    def test_novas_default(self):
        """The line that we wrote in front of ours goes with ours."""
        self.run_script('unstack')
        self.local_conf()
        self.stack()
        self.assertIn(base.NOVAS, self.values('available_filters'))
        self.run_script('unstack')
        self.assertNotIn('available_filters', self.nova_conf.read_text())

    def test_twice(self):
        """The second time finds nothing, and says nothing."""
        self.run_script('unstack')
        left = self.nova_conf.read_text()
        self.assertEqual('', self.run_script('unstack', TWICE='yes'))
        self.assertEqual(left, self.nova_conf.read_text())

    def test_clean(self):
        """The next stack is as the first."""
        first = self.nova_conf.read_text()
        self.run_script('clean')
        self.nova_conf.unlink()  # clean.sh removes /etc/nova afterwards
        self.run_script('clean')
        self.assertFalse(self.nova_conf.exists())
        self.stack()
        self.assertEqual(first, self.nova_conf.read_text())
        self.assertEqual('nova-ext-scheduler', self.command)
