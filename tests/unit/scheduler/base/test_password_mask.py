"""Passwords wherever they stand."""

import testtools

from nova_ext.scheduler.base.password_mask import masked

TEXT = 'admin_password="s3cret"'


class MaskedTest(testtools.TestCase):
    """With any oslo.utils."""

    def test_values(self):
        """Texts, lists, what is nested in both; all else stays."""
        for value in (
            TEXT, [TEXT], (TEXT,), {'in': [TEXT]}, [{'in': TEXT}],
            [[TEXT]], [{'in': [TEXT]}], [{'password': 's3cret'}],
            {'in': {'password': ['s3cret']}},
        ):
            made = masked({'query': value})
            self.assertNotIn('s3cret', str(made), value)
            self.assertIn('***', str(made), value)
        self.assertEqual({'password': '***'}, masked({'password': ['s3']}))
        plain = {'a': ['cmp-1', 2, None], 'b': {'c': ['d']}, 'e': 1.5}
        self.assertEqual(plain, masked(plain))
