"""Test the check of nova-ext's drivers."""

from tests.unit.lint import base


class TestDrivers(base.LintTestCase):
    """Test how drivers are named."""

    def test_module_without_package(self):
        """Read module:Class, as nova-ext-scheduler imports it."""
        self.write('mine.py', (
            'from nova_ext.plugin import ComputeDriver\n\n\n'
            'class MineDriver(ComputeDriver):\n'
            '    hints = ()\n\n'
            '    def rank(self, hosts, request, context):\n'
            '        return hosts\n'
        ))
        for name, found in (
            ('mine:MineDriver', []), ('Mine', ['NX602 nova.conf:2'])
        ):
            self.assertEqual(found, [
                one for one in self.findings(
                    f'[nova_ext]\nscheduler_driver = {name}\n'
                ) if one.startswith('NX602')
            ], name)

    def test_no_driver_without_package(self):
        """Look at what module:Class names as at what a package's path does."""
        self.write('mine.py', 'class Mine:\n    pass\n')
        for name in ('mine:Mine', 'mine.Mine'):
            found = self.findings(f'[nova_ext]\nscheduler_driver = {name}\n')
            self.assertIn('NX502 mine.py:1', found, name)
