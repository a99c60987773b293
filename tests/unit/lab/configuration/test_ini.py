"""Configuration files, as oslo.config reads them."""

from pathlib import Path

import fixtures
import testtools
from oslo_config import cfg

from nova_ext.lab.configuration import ini


class RenderTest(testtools.TestCase):
    """What is written comes back."""

    def test_round_trip(self):
        """Every kind of value, and a path with a dollar sign."""
        path = Path(self.useFixture(fixtures.TempDir()).path, 'x.conf')
        path.write_text(ini.render({
            'DEFAULT': {'flag': True, 'path': ini.literal('/a/$b/c')},
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
