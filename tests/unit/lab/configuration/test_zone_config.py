"""Test the files that make a lab a zone."""

import yaml
from oslo_config import cfg

from nova_ext.conf import all_options
from nova_ext.lab.configuration import zone_config
from nova_ext.lab.lifecycle import start
from nova_ext.lab.state.lab_state import CREDENTIAL, OFFERS
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base

LABS = ('a', 'a-2')


class ZoneConfigTest(base.LabTestCase):
    """Write the files of a parent and of its child."""

    def setUp(self):
        """Create both."""
        super().setUp()
        (self.parent, self.parent_state), (self.child, self.child_state) = (
            self.new_lab(name, zone=Zone(LABS, depth))
            for depth, name in enumerate(LABS)
        )

    def read(self, there, state):
        """Write a lab's files, and return its nova.conf as it is read."""
        start.configure(there, state)
        conf = cfg.ConfigOpts()
        all_options.register_all_opts(conf)
        conf([], default_config_files=[
            str(there.configuration('nova') / 'nova.conf')
        ])
        return conf

    def test_options(self):
        """Differ in name, capabilities and secret, and make offers."""
        parent = self.read(self.parent, self.parent_state)
        child = self.read(self.child, self.child_state)
        for conf, state, name in (
            (parent, self.parent_state, 'parent'),
            (child, self.child_state, 'child'),
        ):
            self.assertEqual(
                (name, True, [state.passwords[OFFERS]],
                 ['FilterScheduler', 'ZoneAwareScheduler']),
                (conf.nova_ext_zones.zone_name,
                 conf.nova_ext_zones.enable_zone_routing,
                 conf.nova_ext_offers.secret,
                 list(conf.nova_ext.scheduler_driver)),
            )
        for ours, theirs in (
            (parent.nova_ext_zones.zone_capabilities,
             child.nova_ext_zones.zone_capabilities),
            (parent.nova_ext_offers.secret, child.nova_ext_offers.secret),
        ):
            self.assertNotEqual(ours, theirs)

    def test_options_of_a_user(self):
        """Keep what the user sets."""
        self.child_state.settings = {'nova_ext_zones.zone_name': ['east']}
        conf = self.read(self.child, self.child_state)
        self.assertEqual('east', conf.nova_ext_zones.zone_name)

    def test_filter(self):
        """Honour offers in zones alone."""
        for (there, state), expected in (
            (self.new_lab('alone'), False),
            ((self.child, self.child_state), True),
        ):
            start.configure(there, state)
            text = (there.configuration('nova') / 'nova.conf').read_text()
            self.assertEqual(expected, ',OfferFilter\n' in text)

    def test_credential(self):
        """Have the parent read it where its nova.conf says; nobody else."""
        conf = self.read(self.parent, self.parent_state)
        self.assertEqual(
            str(self.parent.path / zone_config.CLOUDS),
            conf.nova_ext_zones.zone_clouds_file,
        )
        path = self.parent.path / zone_config.CLOUDS
        self.assertEqual(0o600, path.stat().st_mode & 0o777)
        clouds = yaml.safe_load(path.read_text())['clouds']
        self.assertEqual(['child', 'child-demo'], list(clouds))
        for cloud, user in zip(clouds.values(), ('parent', 'parent-demo'),
                               strict=True):
            auth = cloud['auth']
            self.assertEqual(
                (self.child_state.url('keystone', '/v3'), user,
                 self.child_state.passwords[CREDENTIAL]),
                (auth['auth_url'], auth['username'],
                 auth['application_credential_secret']),
            )

    def test_last(self):
        """Have no credentials where there is no child."""
        start.configure(self.child, self.child_state)
        self.assertFalse((self.child.path / zone_config.CLOUDS).exists())
