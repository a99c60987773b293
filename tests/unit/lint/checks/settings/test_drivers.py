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
