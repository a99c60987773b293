"""Test the removal of secrets and names."""

import testtools

from nova_ext.report.scrub import Scrubber

UUID = 'e9b28810-b689-4495-9c4c-adb991cb8155'
PROJECT = 'f7bc7d37e62d4a8b900ea0227d26f3f8'


class ScrubTest(testtools.TestCase):
    """Use one scrubber, as for one report."""

    def setUp(self):
        """Learn a few names."""
        super().setUp()
        self.scrubber = Scrubber()
        self.scrubber.learn('host', ['cmp-1', 'cmp-10', 'db.acme.net'])

    def assert_texts(self, *pairs):
        """Assert that each text becomes the other."""
        for text, expected in pairs:
            self.assertEqual(expected, self.scrubber.scrub_text(text), text)

    def test_names(self):
        """Replace whole words, a name always by the same pseudonym."""
        self.assert_texts(
            ('cmp-1', 'host-1'),
            ('cmp-10 and cmp-1, cmp-100.', 'host-2 and host-1, cmp-100.'),
            ('not on cmp-1.', 'not on host-1.'),
            ('[cmp-1]/cmp-1:8', '[host-1]/host-1:8'),
        )

    def test_keys(self):
        """Replace keys where an object is about hosts."""
        self.assertEqual(
            {'details': {'host-1': 'since 9'}, 'cmp-1': 'host-1'},
            self.scrubber.scrub_data({
                'details': {'cmp-1': 'since 9'}, 'cmp-1': 'cmp-1',
            }),
        )

    def test_domains(self):
        """Give a host one pseudonym with and without its domain."""
        self.scrubber.learn('host', ['cmp-1.acme.net'])
        self.assert_texts(
            ('db.acme.net', 'host-3.domain-1'), ('db', 'host-3'),
            ('cmp-1.acme.net', 'host-1.domain-1'),
        )

    def test_ids(self):
        """Find ids by their form, and keep the kind where it is known."""
        self.scrubber.learn('server', [UUID])
        self.assert_texts(
            (f'req-{UUID}', 'req-server-1'), (PROJECT, 'id-1'),
            (f'in%3A{UUID}%2C{PROJECT}', 'in%3Aserver-1%2Cid-1'),
            (f'{PROJECT.upper()}', PROJECT.upper()), ('1' * 32, 'id-2'),
        )

    def test_addresses(self):
        """Replace addresses of every family but loopback, and no times."""
        self.assert_texts(
            ('10.1.2.3:8774', 'address-1:8774'),
            ('10.1.2.0/24=x', 'address-2/24=x'),
            ('[2001:db8::1]:80 at 10.1.2.3', '[address-3]:80 at address-1'),
            ('127.0.0.1 ::1', '127.0.0.1 ::1'),
            ('cmp-1 at 10.1.2.3 or cmp-10', 'host-1 at address-1 or host-2'),
            ('2026-11-21T12:00:00.123Z', '2026-11-21T12:00:00.123Z'),
            ('fa:16:3e:00:00:01', 'mac-1'),
            ('root@acme.net', 'mail-1'),
            ('34.0.0.1234', '34.0.0.1234'),
        )

    def test_words_beside_colons(self):
        """Learn words that look like addresses."""
        self.scrubber.learn('host', ['cafe'])
        self.assert_texts(('cafe:1:2', 'host-4:1:2'))

    def test_secrets(self):
        """Remove secrets of URLs and settings."""
        self.assert_texts(
            ('rabbit://nova:hidden@mq.acme.net:5672/',
             'rabbit://host-4.domain-1:5672/'),
            ('mysql+pymysql://nova:hid/den@cmp-1/nova',
             'mysql+pymysql://host-1/nova'),
            ('mysql+pymysql://nova:hid@den@cmp-1/nova',
             'mysql+pymysql://host-1/nova'),
            ('rabbit://nova:hidden@cmp-10:5672,nova:hidden@cmp-1:5672/',
             'rabbit://host-1:5672/'),
            ('http://cmp-1/ of root@acme.net', 'http://host-1/ of mail-1'),
            ('password = hidden', 'password = ***'),
        )

    def test_homes(self):
        """Replace the user's name in a home folder."""
        self.assert_texts(
            ('/home/alice/nova.conf of alice', '/home/user-1/nova.conf of '
             'user-1'),
        )

    def test_phrases(self):
        """Replace names of several words, the longest first."""
        self.scrubber.learn('aggregate', ['my rack', 'my rack 2', 'a+b'])
        self.assert_texts(
            ('my rack: x; my rack 2: y; a+b',
             'aggregate-1: x; aggregate-2: y; aggregate-3'),
        )

    def test_hosts_that_are_named_like_pseudonyms(self):
        """Replace no name twice."""
        self.scrubber.learn('host', ['id-1', 'aggregate-1', 'host-1'])
        self.scrubber.learn('aggregate', ['my rack'])
        self.assert_texts(
            (PROJECT, 'id-1'), ('my rack', 'aggregate-1'),
            ('host-1 id-1 aggregate-1', 'host-6 host-4 host-5'),
        )

    def test_stock(self):
        """Keep words of every cloud, and numbers."""
        self.scrubber.learn('zone', ['nova', '', '17', 'true', '-'])
        self.assert_texts(('nova 17 true - x', 'nova 17 true - x'))

    def test_data(self):
        """Replace every string, and keys that are names."""
        self.assertEqual(
            {'cmp-1': ['host-1', 1, None],
             'weights': {'host-1': 2.0, 'host-1/host-2': 0.5},
             'chosen': {'id-1': ['host-2']}},
            self.scrubber.scrub_data({
                'cmp-1': ('cmp-1', 1, None),
                'weights': {'cmp-1': 2.0, 'cmp-1/cmp-10': 0.5},
                'chosen': {UUID: ['cmp-10']},
            }),
        )
