"""configure.yml and the ways back, with hosts that are folders."""

from tests.playbooks import base

FILE = 'etc/nova/conf.d/zz-nova-ext.conf'
UNIT = 'systemd/{}.service.d/nova-ext.conf'


class ConfigureTest(base.PlaybookTestCase):
    """Configure one scheduler."""

    def test_configure(self):
        """What was enabled stays, ours comes last; all as foretold, once."""
        foretold = self.play('configure', '--check', '--diff')
        self.assertIsNone(self.read('one', FILE))
        self.assertEqual([], self.restarts())
        done = self.play('configure', '--diff')
        self.assertIn(
            'enabled_filters = ComputeFilter,SameHostFilter,'
            'SpecifiedHostFilter\n', self.read('one', FILE),
        )
        self.assertIn(
            'TimeoutStopSec=200\n', self.read('one', UNIT.format('one'))
        )
        self.assertEqual(['restart one'], self.restarts())
        self.assertNotEqual([], done.changed)
        self.assertEqual(foretold.changed, done.changed)
        self.assertEqual(foretold.differences, done.differences)
        again = self.play('configure')
        self.assertEqual([], again.changed)
        self.assertEqual(['restart one'], self.restarts())
