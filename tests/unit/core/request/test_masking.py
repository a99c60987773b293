"""Test what is masked in values."""

import testtools

from nova_ext.core.request import masking

TEXT = 'admin_password="s3cret"'


class MaskPasswordsTest(testtools.TestCase):
    """Test passwords in values, with any oslo.utils."""

    def test_values(self):
        """Mask texts, lists and what is nested in both, and nothing else."""
        for value in (
            TEXT, [TEXT], (TEXT,), {'in': [TEXT]}, [{'in': TEXT}],
            [[TEXT]], [{'in': [TEXT]}], [{'password': 's3cret'}],
            {'in': {'password': ['s3cret']}},
        ):
            masked = masking.mask_passwords({'query': value})
            self.assertNotIn('s3cret', str(masked), value)
            self.assertIn('***', str(masked), value)
        for name in (
            'api_key', 'apiKey', 'X-Api-Key', 'credential', 'credentials',
            'my_secret', 'access-key', 'auth_token', 'passphrase', 'key',
            'ssh_key', 'hmac_key', 'encryptionKey', 'db_pass', 'pwd', 'keys',
            'token', 'Authorization', 'x:password', 'Cookie', 'bearer',
        ):
            self.assertEqual({name: '***'}, masking.mask_passwords(
                {name: ['s3cret']}
            ))
        for url in (
            'https://me:s3cret@host/path', 'amqp://a:s3cret/1@h,b:s3cret@i/',
            'see https://me:s3cret@host:1', 'ftp://s3cret@host',
        ):
            masked = str(masking.mask_passwords({'callback': [url]}))
            self.assertNotIn('s3cret', masked)
            self.assertIn('://***@', masked)
        for text in (
            'Authorization: Bearer s3cret.x=', 'bearer  s3cret',
            'authorization:Basic s3cret==', 'passphrase: s3cret',
            'aws_secret_access_key=s3cret', 'AUTH_TOKEN = s3cret',
            'Cookie: sid=s3cret', 'log in with pwd=s3cret',
        ):
            masked = masking.mask(text)
            self.assertNotIn('s3cret', masked)
            self.assertIn('***', masked)
        self.assertEqual(
            {'password': '***'},
            masking.mask_passwords({'password': ['s3']}),
        )
        plain = {'a': ['cmp-1', 2, None], 'b': {'c': ['d']}, 'e': 1.5,
                 'url': 'https://host/path', 'mail': 'me@host',
                 'keyboard': 'de', 'bypass': 'no', 'monkey': 'x'}
        self.assertEqual(plain, masking.mask_passwords(plain))
