"""Configuration files, and who may read them."""

import nova.conf
import yaml
from oslo_config import cfg

from nova_ext.lab.configuration import nova_config
from nova_ext.lab.lifecycle import start
from nova_ext.lab.services import clouds_yaml
from tests.unit.lab import base


class ConfigTest(base.LabTestCase):
    """What a lab's services are told."""

    def written(self, **changes):
        """What Nova reads of a lab with these changes."""
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
        """Nova's own default, and ours."""
        default = nova.conf.CONF.filter_scheduler.enabled_filters
        self.assertEqual(
            [*default, 'SpecifiedHostFilter'],
            list(nova_config.ENABLED_FILTERS),
        )

    def test_settings(self):
        """The user's win over the lab's; many values stay many."""
        conf = self.written(settings={
            'filter_scheduler.available_filters': ['a.b', 'c.d'],
            'quota.instances': ['3'],
        })
        self.assertEqual(
            (['a.b', 'c.d'], nova_config.WEIGHT_CLASSES.split(','), 3),
            (conf.filter_scheduler.available_filters,
             conf.filter_scheduler.weight_classes, conf.quota.instances),
        )

    def test_stock(self):
        """Nova's own weighers; our one line for filters; no quotas."""
        conf = self.written(stock_schedulers=1)
        self.assertEqual(
            (['nova_ext.scheduler.filters.all_filters'],
             ['nova.scheduler.weights.all_weighers'], -1),
            (conf.filter_scheduler.available_filters,
             conf.filter_scheduler.weight_classes, conf.quota.instances),
        )

    def test_private(self):
        """Files with passwords are for their owner alone."""
        there, state = self.new_lab()
        start.configure(there, state)
        clouds_yaml.write(there, state)
        secrets = list(state.passwords.values())
        for path in there.folder.rglob('*'):
            if path.is_file() and any(s in path.read_text() for s in secrets):
                self.assertEqual(0o600, path.stat().st_mode & 0o777, path)

    def test_clouds(self):
        """Both users, with a microversion that knows --nic none."""
        there, state = self.new_lab()
        clouds_yaml.write(there, state, {'more': {'auth': {}}})
        clouds = yaml.safe_load(there.clouds_file.read_text())['clouds']
        self.assertEqual(['admin', 'demo', 'more'], list(clouds))
        demo = clouds['demo']
        self.assertEqual(
            (state.passwords['demo'], 'demo', state.url('keystone', '/v3')),
            (demo['auth']['password'], demo['auth']['project_name'],
             demo['auth']['auth_url']),
        )
        self.assertEqual(
            demo['compute_api_version'], demo['compute_default_microversion']
        )
        self.assertGreater(
            tuple(map(int, demo['compute_api_version'].split('.'))), (2, 37)
        )
