"""Offers are signed, and their signatures checked."""

import testtools

from nova_ext.core.base.offer_signature import (
    get_fingerprint,
    matches,
    read_expiry,
    sign,
)

PARTS = ('secret', 'req-1', 'project', 'cmp-1', 'node-1')


class OfferSignatureTest(testtools.TestCase):
    """Codes that say nothing to those who lack the secret."""

    def test_each_part_counts(self):
        """Another secret, request, project, host, node or time."""
        code = sign(*PARTS, 7).partition('.')[2]
        others = [(*PARTS, 8)] + [
            (*PARTS[:n], f'{PARTS[n]}x', *PARTS[n + 1:], 7)
            for n in range(len(PARTS))
        ]
        for secret, *other in others:
            self.assertNotEqual(
                code, sign(secret, *other).partition('.')[2], other
            )
            self.assertFalse(matches(sign(*PARTS, 7), [secret], *other), other)

    def test_matches(self):
        """Any of the secrets may have signed it."""
        offer = sign(*PARTS, 7)
        for secrets in (['secret'], ['other', 'secret'], ['secret', 'other']):
            self.assertTrue(matches(offer, secrets, *PARTS[1:], 7))
        for secrets in ([], ['other']):
            self.assertFalse(matches(offer, secrets, *PARTS[1:], 7))

    def test_parts_do_not_run_together(self):
        """A letter that moves from one name to the next counts."""
        self.assertNotEqual(
            sign('s', 'r', 'p', 'cmp-1', '1', 7),
            sign('s', 'r', 'p', 'cmp-', '11', 7),
        )

    def test_short_and_plain(self):
        """It fits a hint and a command line."""
        self.assertRegex(
            sign(*PARTS, 7_000_000_000), r'^\d{10}\.[\w-]{22}$'
        )

    def test_anything_may_be_given(self):
        """Letters that no code has, and what is no letter at all."""
        for given in ('', '\u00e4\ud7ff', '\ud800', '\udfff'):
            self.assertFalse(matches(given, ['secret'], *PARTS[1:], 7))

    def test_fingerprint(self):
        """It tells secrets apart, and is no offer."""
        self.assertNotEqual(
            get_fingerprint('a'), get_fingerprint('b')
        )
        self.assertNotEqual(
            get_fingerprint('a'),
            sign('a', '', '', '', '', 0).partition('.')[2],
        )

    def test_expiry(self):
        """Only what a scheduler can have written is a time."""
        self.assertEqual(7_000_000_000, read_expiry(
            sign(*PARTS, 7_000_000_000)
        ))
        for given in (
            '', '.', '7', '-7.x', '7e3.x', '\u0663.x', f'{10**12}.x',
        ):
            self.assertIsNone(read_expiry(given), given)
