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
        'reason': '', 'refusing': [], 'age_s': 3.2, 'providers': 10,
        'providers_read': 10, **fields,
    }


class MirrorsTest(fake_cloud.CheckTestCase):
    """Look at what mirrors say of themselves."""

    module = mirrors

    def configure(self, mode, *lines):
        """Return a configuration that sets the mirror."""
        path = Path(self.useFixture(fixtures.TempDir()).path, 'nova.conf')
        path.write_text('\n'.join(['[nova_ext]', f'mirror = {mode}', *lines]))
        return Configuration([path])

    def test_healthy(self):
        """Find nothing of mirrors that work, or are not wanted."""
        self.cloud.mirrors = [
            mirror(), mirror(age_s=59.9),
            {'host': 'ctl', 'worker': 3, 'mode': 'off', 'state': 'off'},
        ]
        self.assert_found(self.look())
        self.assertEqual([], self.unchecked)
        self.assertEqual(
            ('scheduler', '/v1/mirrors', None), self.cloud.asked[-1]
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

    def test_loading(self):
        """Find those that are not loaded, and say how far they are."""
        self.cloud.mirrors = [
            mirror(), mirror(state='loading', age_s=None, providers_read=3),
            mirror(
                state='loading', age_s=None, providers=None,
                providers_read=None, worker=2,
            ),
        ]
        found = self.look()
        self.assert_found(found, mirror_loading='2 mirrors of 3')
        self.assertEqual(
            "ctl 1: 3 of 10 providers read; ctl 2: its file of providers "
            "can't be read", found['mirror-loading'].where,
        )

    def test_old(self):
        """Find those that are older than nova.conf lets them be."""
        self.cloud.mirrors = [
            mirror(), mirror(age_s=90.0), mirror(state='off', age_s=None),
        ]
        found = self.look()
        self.assertEqual(
            'ctl 1: 10 of 10 providers read, 90 s old',
            found['mirror-old'].where,
        )
        self.assertIn('60 s ago', found['mirror-old'].what)
        configured = self.configure('on', 'mirror_max_age_s = 90')
        self.assertNotIn('mirror-old', self.look(configured))
        configured = self.configure('on', 'mirror_max_age_s = soon')
        self.assertIn('mirror-old', self.look(configured))

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
