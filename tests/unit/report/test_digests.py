"""Test the digests of a configuration."""

import json
import pathlib

import fixtures
import testtools

from nova_ext.doctor.configuration import Configuration
from nova_ext.report.digests import Digests

CONF = '''
[DEFAULT]
transport_url = rabbit://nova:hidden@mq
pin = 1234
[scheduler]
max_placement_results = 500
[filter_scheduler]
enabled_filters = ComputeFilter
isolated_hosts = secret-host
track_instance_changes = False
[nova_ext_stats]
max_age_s = 77
[nova_ext_offers]
secret = 987654
[nova_ext_of_others]
code = 246810
'''


class DigestsTest(testtools.TestCase):
    """Digest two schedulers' files."""

    def setUp(self):
        """Write files that differ in one value."""
        super().setUp()
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        ours, theirs = folder / 'a.conf', folder / 'b.conf'
        ours.write_text(CONF)
        theirs.write_text(CONF.replace('1234', '4321'))
        self.digests = Digests().digest(Configuration([ours], [theirs]))

    def test_shown(self):
        """Show classes, numbers and booleans, and no more."""
        options = self.digests['options']
        self.assertEqual(
            ['500'], options['[scheduler] max_placement_results']
        )
        self.assertEqual(
            [['ComputeFilter'], ['False']],
            [options[f'[filter_scheduler] {name}'] for name in
             ('enabled_filters', 'track_instance_changes')],
        )
        self.assertEqual(['77'], options['[nova_ext_stats] max_age_s'])
        text = json.dumps(self.digests)
        for secret in ('hidden', '1234', 'secret-host', 'rabbit', '987654',
                       '246810'):
            self.assertNotIn(secret, text)

    def test_comparable(self):
        """Give equal values equal digests, and others others."""
        ours = self.digests['options']
        theirs = self.digests['others'][0]['options']
        self.assertEqual(
            ours['[DEFAULT] transport_url'],
            theirs['[DEFAULT] transport_url'],
        )
        self.assertNotEqual(ours['[DEFAULT] pin'], theirs['[DEFAULT] pin'])

    def test_not_guessable(self):
        """Give the same values other digests in another report."""
        path = pathlib.Path(self.digests['files'][0])
        again = Digests().digest(Configuration([path]))
        self.assertNotEqual(
            self.digests['options']['[DEFAULT] pin'],
            again['options']['[DEFAULT] pin'],
        )
