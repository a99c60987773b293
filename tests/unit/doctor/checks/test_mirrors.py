"""Test the check of the mirrors of the schedulers' workers."""

from pathlib import Path

import fixtures

from nova_ext.doctor.checks import mirrors
from nova_ext.doctor.configuration import Configuration
from tests.unit.doctor import fake_cloud


def mirror(**fields):
    """Return what nova-ext-api says of a mirror."""
    return {
        'host': 'ctl', 'worker': 1, 'mode': 'on', 'state': 'on',
        'reason': '', 'refusing': [], **fields,
    }


class MirrorsTest(fake_cloud.CheckTestCase):
    """Look at what mirrors say of themselves."""

    module = mirrors

    def configure(self, mode):
        """Return a configuration that sets the mirror."""
        path = Path(self.useFixture(fixtures.TempDir()).path, 'nova.conf')
        path.write_text(f'[nova_ext]\nmirror = {mode}\n')
        return Configuration([path])

    def test_healthy(self):
        """Find nothing of mirrors that work, load, or are not wanted."""
        self.cloud.mirrors = [
            mirror(), mirror(state='loading'),
            {'host': 'ctl', 'worker': 3, 'mode': 'off', 'state': 'off'},
        ]
        self.assert_found(self.look())
        self.assertEqual([], self.unchecked)
        self.assertEqual(
            ('scheduler', '/v1/mirrors', 'scheduler 1.3'),
            self.cloud.asked[-1],
        )

    def test_off(self):
        """Find those that are off, and say why."""
        reason = 'turned off: a decision differed from Nova\'s'
        self.cloud.mirrors = [
            mirror(), mirror(state='off', reason=reason),
        ]
        found = self.look(self.configure('on'))
        self.assert_found(found, mirror_off='1 mirror of 2')
        self.assertEqual(f'1 {reason}', found['mirror-off'].where)

    def test_refusing(self):
        """Find the hosts, each once, by name where it is known."""
        gone = fake_cloud.identity('gone')
        known = fake_cloud.identity('cmp-1')
        self.cloud.mirrors = [
            mirror(refusing=[known]), mirror(refusing=[gone, known]),
        ]
        found = self.look()
        self.assert_found(found, claims_refused='2 resource providers')
        self.assertIn('cmp-1', found['claims-refused'].where)
        self.assertIn(gone, found['claims-refused'].where)

    def test_without_api(self):
        """Say so where there should be mirrors, and only there."""
        self.assert_found(self.look())
        self.assertEqual([], self.unchecked)
        self.assert_found(self.look(self.configure('verify')))
        (missing,) = self.unchecked
        self.assertIn('nova-ext-api', missing.needs)

    def test_not_wanted(self):
        """Ask nothing where no mirror is configured."""
        self.cloud.mirrors = [mirror(state='off', reason='an operator')]
        self.assert_found(self.look(self.configure('off')))
        self.assertEqual([], self.cloud.asked)
