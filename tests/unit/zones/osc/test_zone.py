"""Run openstack scheduler zone … in this process."""

import json

from oslo_config import cfg

from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones import registry
from nova_ext.zones.osc import zone
from tests.unit.osc import base

URL = 'https://one.example.org'
CREATE = ('--url', URL, '--cloud', 'one', 'zone1')


class ZoneTest(base.CommandTestCase):
    """Manage child zones."""

    def answer_as(self, number):
        """Have a zone be active, with capabilities."""
        with self.database.writing() as session:
            row = session.get(registry.Zone, number)
            row.is_active, row.inactive_since = True, None
            row.capabilities = json.dumps({
                'general': {
                    'os': {'values': ['linux', 'windows']},
                    'hypervisor': {'values': ['kvm', 'xenserver']},
                },
                'services': {
                    'compute': {'cpu': {'min': 0.7, 'max': 0.9}},
                    'volume': {'tier': {'values': ['ssd']}},
                },
            })

    def create(self):
        """Create a zone, and return its ID."""
        return self.json_of(zone.CreateZone, *CREATE)['id']

    def show(self, text='zone1'):
        """Return a zone's properties."""
        return self.json_of(zone.ShowZone, text)

    def test_list(self):
        """List zones with the columns that they always had."""
        number = self.create()
        self.answer_as(number)
        told = self.run_command(zone.ListZones)
        self.assertEqual(
            ['ID', 'Name', 'Is Active', 'Capabilities', 'API URL'],
            [word.strip() for word in
             told.splitlines()[1].strip('|').split('|')],
        )
        self.assertIn(
            '| hypervisor=kvm;xenserver, os=linux;windows | '
            f'{URL} |', told,
        )
        listed, = self.json_of(zone.ListZones)
        self.assertEqual(
            (number, 'zone1', True), (
                listed['ID'], listed['Name'], listed['Is Active']
            )
        )

    def test_show(self):
        """Show all of a zone, by name or ID, as properties and values."""
        number = self.create()
        self.answer_as(number)
        told = self.run_command(zone.ShowZone, 'zone1')
        self.assertRegex(told, r'\| Property +\| Value +\|')
        self.assertIn('compute_cpu = 0.7,0.9', told)
        self.assertIn('volume_tier = ssd', told)
        shown = self.show(str(number))
        self.assertEqual(shown, self.show())
        self.assertEqual(
            {'compute': {'cpu': {'min': 0.7, 'max': 0.9}},
             'volume': {'tier': {'values': ['ssd']}}},
            shown['service_capabilities'],
        )
        self.assertEqual(f'{number}\n', self.run_command(
            zone.ShowZone, 'zone1', '-f', 'value', '-c', 'id'
        ))
        self.assertNotIn(
            'cloud', self.run_command(zone.ShowZone, 'zone1', '-c', 'id')
        )

    def test_set(self):
        """Change what is named."""
        self.create()
        self.run_command(
            zone.SetZone, 'zone1', '--name', 'uno', '--disable',
            '--weight-scale', '2', '--weight-offset=-0.5',
            '--url', 'https://new.example.org/', '--cloud', 'new',
        )
        shown = self.show('uno')
        self.assertEqual(
            (True, 2.0, -0.5, 'https://new.example.org', 'new'),
            tuple(shown[name] for name in (
                'disabled', 'weight_scale', 'weight_offset', 'url', 'cloud'
            )),
        )
        self.run_command(zone.SetZone, 'uno', '--enable')
        self.assertEqual(
            {**shown, 'disabled': False}, self.show('uno')
        )

    def test_shared(self):
        """Warn of what all projects share, and of nothing else."""
        self.create()
        self.run_command(zone.SetZone, 'zone1', '--shared')
        self.assertIn(
            'warning: servers of all projects will be in one project',
            self.warned.getvalue(),
        )
        self.assertTrue(self.show()['shared'])
        self.run_command(zone.SetZone, 'zone1', '--not-shared')
        self.assertEqual('', self.warned.getvalue())
        self.assertFalse(self.show()['shared'])
        self.run_command(
            zone.CreateZone, '--shared', '--url', 'https://two.example.org',
            '--cloud', 'two', 'zone2',
        )
        self.assertIn('warning', self.warned.getvalue())

    def test_delete(self):
        """Delete zones by name or ID; none if one does not exist."""
        number = self.create()
        self.assertIn('there is no zone nonesuch', self.fail(
            zone.DeleteZone, 'zone1', 'nonesuch'
        ))
        self.assertEqual(1, len(self.json_of(zone.ListZones)))
        self.run_command(zone.DeleteZone, 'zone1', str(number))
        self.assertEqual([], self.json_of(zone.ListZones))

    def fail(self, cls, *words):
        """Return the line with which a command fails."""
        error = self.assertRaises(NovaExtError, self.run_command, cls, *words)
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_errors(self):
        """Fail in one line."""
        self.create()
        for words, cls, *arguments in (
            ('another zone has the name zone1', zone.CreateZone, *CREATE),
            ('there is no zone 77', zone.ShowZone, '77'),
            ('nothing to set', zone.SetZone, 'zone1'),
            ('the body, zone.cloud', zone.SetZone, 'zone1', '--cloud', '/x'),
        ):
            self.assertIn(words, self.fail(cls, *arguments))
        self.become('member')
        self.assertIn('nova_ext:zones:get', self.fail(zone.ListZones))

    def test_info(self):
        """Show every user the zone's name and capabilities."""
        cfg.CONF.set_override(
            'zone_capabilities', 'os=linux', 'nova_ext_zones'
        )
        self.addCleanup(
            cfg.CONF.clear_override, 'zone_capabilities', 'nova_ext_zones'
        )
        self.become('reader')
        told = self.run_command(zone.ShowZoneInfo)
        self.assertRegex(told, r'\| Property +\| Value +\|')
        self.assertRegex(told, r'\| compute_cpu +\| 0\.1,3\.5 +\|')
        self.assertEqual({
            'compute_cpu': '0.1,3.5', 'gathering': False, 'name': 'nova',
            'os': 'linux', 'uuid': registry.get_own_uuid(self.database),
        }, self.json_of(zone.ShowZoneInfo))
