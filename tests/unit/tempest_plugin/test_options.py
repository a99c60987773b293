"""Read the plugin's options from a tempest.conf."""

from oslo_config import cfg

from tests.unit.tempest_plugin import base


class OptionsTest(base.TempestConfTestCase):
    """Options whose value has parts."""

    def test_groups(self):
        """Split at the last colon, since an address of IPv6 has some."""
        group = self.configure(
            'ip_scheduler_groups = '
            '10.1.0.5:doc, 2001:DB8::5:ops,::1:dev,192.0.2.5:'
        )
        self.assertEqual(
            [('10.1.0.5', 'doc'), ('2001:db8::5', 'ops'), ('::1', 'dev'),
             ('192.0.2.5', '')],
            group.ip_scheduler_groups,
        )
        self.assertEqual([], self.configure().ip_scheduler_groups)

    def test_no_group(self):
        """Name the option and the form of a group that is none."""
        for text in ('doc', '10.1.0.5', '2001:db8::5', '10.1.0:doc'):
            group = self.configure(f'ip_scheduler_groups = {text}')
            error = self.assertRaises(
                cfg.ConfigFileValueError,
                lambda group=group: group.ip_scheduler_groups,
            )
            self.assertIn('ip_scheduler_groups', str(error))
            self.assertIn(f'{text}: write an address, a colon', str(error))

    def test_record(self):
        """One name is a list, too."""
        self.assertEqual(['/a'], self.configure('record = /a').record)
        self.assertEqual(
            ['/a', '/b'], self.configure('record = /a,/b').record
        )
