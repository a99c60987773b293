"""Test the configuration files of a lab."""

import argparse
from pathlib import Path

import fixtures
import nova.conf
import openstack.config
import testtools
import yaml
from keystoneauth1 import loading, session
from openstack.config import cloud_region
from oslo_config import cfg

from nova_ext.lab.configuration import config, nova_config
from nova_ext.lab.lifecycle import start
from nova_ext.lab.services import cloud
from tests.unit.lab import base


class ConfigTest(base.LabTestCase):
    """Write the files, and read them as services do."""

    def written(self, **changes):
        """Return the options that Nova reads in a lab with these changes."""
        there, state = self.new_lab(**changes)
        start.configure(there, state)
        conf = cfg.ConfigOpts()
        for module in (nova.conf.scheduler, nova.conf.quota):
            module.register_opts(conf)
        conf([], default_config_files=[
            str(there.configuration('nova') / 'nova.conf')
        ])
        return conf

    def test_enabled_filters(self):
        """Enable Nova's default filters, and ours."""
        default = nova.conf.CONF.filter_scheduler.enabled_filters
        self.assertEqual(
            [*default, 'SpecifiedHostFilter'],
            list(nova_config.ENABLED_FILTERS),
        )

    def test_settings(self):
        """Prefer the user's settings; keep many values many."""
        conf = self.written(settings={
            'filter_scheduler.available_filters': ['a.b', 'c.d'],
            'quota.instances': ['3'],
        })
        self.assertEqual(
            (['a.b', 'c.d'], nova_config.WEIGHT_CLASSES.split(','), 3),
            (conf.filter_scheduler.available_filters,
             conf.filter_scheduler.weight_classes, conf.quota.instances),
        )

    def test_retries(self):
        """Nova asks placement again if that closed an idle connection."""
        conf = self.written()
        loading.register_adapter_conf_options(conf, 'placement')
        region = cloud_region.from_conf(
            conf, session=session.Session(), service_types={'placement'},
        )
        self.assertEqual(3, region.get_connect_retries('placement'))

    def test_stock(self):
        """Use Nova's own weighers, our one line for filters, no quotas."""
        conf = self.written(stock_schedulers=1)
        self.assertEqual(
            (['nova_ext.scheduler.filters.all_filters'],
             ['nova.scheduler.weights.all_weighers'], -1),
            (conf.filter_scheduler.available_filters,
             conf.filter_scheduler.weight_classes, conf.quota.instances),
        )

    def test_private(self):
        """Keep passwords from other users."""
        there, state = self.new_lab()
        start.configure(there, state)
        cloud.write_clouds_yaml(there, state)
        secrets = list(state.passwords.values())
        for path in there.path.rglob('*'):
            if path.is_file() and any(s in path.read_text() for s in secrets):
                self.assertEqual(0o600, path.stat().st_mode & 0o777, path)

    def test_clouds(self):
        """Write both users, with a microversion that knows --nic none."""
        there, state = self.new_lab()
        cloud.write_clouds_yaml(there, state, {'more': {'auth': {}}})
        clouds = yaml.safe_load(there.clouds_file.read_text())['clouds']
        self.assertEqual(['admin', 'demo', 'more'], list(clouds))
        demo = clouds['demo']
        self.assertEqual(
            (state.passwords['demo'], 'demo', state.url('keystone', '/v3')),
            (demo['auth']['password'], demo['auth']['project_name'],
             demo['auth']['auth_url']),
        )
        self.assertGreater(
            tuple(map(int, demo['compute_api_version'].split('.'))), (2, 37)
        )

    def test_microversion(self):
        """Have clients use the lab's microversion, or a command's own."""
        there, state = self.new_lab()
        cloud.write_clouds_yaml(there, state)
        clients = openstack.config.OpenStackConfig(
            config_files=[str(there.clouds_file)], load_envvars=False
        )
        for words, expected in (
            ({}, cloud.MICROVERSIONS['compute']), (
                {'os_compute_api_version': '2.87'}, '2.87'
            ),
        ):
            region = clients.get_one(
                'demo', argparse=argparse.Namespace(**words)
            )
            self.assertEqual(expected, region._get_version_request(
                'compute', None
            ).default_microversion)


class RenderTest(testtools.TestCase):
    """Render a file and read it."""

    def test_round_trip(self):
        """Render every kind of value, and a path with a dollar sign."""
        path = Path(self.useFixture(fixtures.TempDir()).path, 'x.conf')
        path.write_text(config.render({
            'DEFAULT': {'flag': True, 'path': config.escape('/a/$b/c')},
            'group': {'number': -1, 'many': ['1', 'k=v'], 'none': []},
        }))
        conf = cfg.ConfigOpts()
        conf.register_opts([cfg.BoolOpt('flag'), cfg.StrOpt('path')])
        conf.register_opts(
            [cfg.IntOpt('number'), cfg.MultiStrOpt('many'),
             cfg.StrOpt('none', default='default')], group='group',
        )
        conf([], default_config_files=[str(path)])
        self.assertEqual(
            (True, '/a/$b/c', -1, ['1', 'k=v'], 'default'),
            (conf.flag, conf.path, conf.group.number, conf.group.many,
             conf.group.none),
        )
