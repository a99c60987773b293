"""Offers are of one host, to one request."""

import testtools

from nova_ext.core.rpc import offers

OFFER = ('secret', 'req-1', 'project', 'cmp-1', 'node-1')


class OfferTest(testtools.TestCase):
    """Codes that say nothing to those who lack the secret."""

    def test_each_part_counts(self):
        """Another secret, request, project, host or node: another offer."""
        made = offers.offer(*OFFER)
        self.assertTrue(offers.same(made, offers.offer(*OFFER)))
        for position in range(len(OFFER)):
            other = [*OFFER]
            other[position] += 'x'
            self.assertFalse(offers.same(made, offers.offer(*other)))

    def test_parts_do_not_run_together(self):
        """A letter that moves from one name to the next counts."""
        self.assertNotEqual(
            offers.offer('s', 'r', 'p', 'cmp-1', '1'),
            offers.offer('s', 'r', 'p', 'cmp-', '11'),
        )

    def test_short_and_plain(self):
        """It fits a hint and a command line."""
        self.assertRegex(offers.offer(*OFFER), r'^[\w-]{22}$')

    def test_anything_may_be_given(self):
        """Letters that no code has, and what is no letter at all."""
        for given in ('\u00e4\ud7ff', '\ud800', '\udfff'):
            self.assertFalse(offers.same(given, offers.offer(*OFFER)))

    def test_fingerprint(self):
        """It tells secrets apart, and is no offer."""
        self.assertNotEqual(offers.fingerprint('a'), offers.fingerprint('b'))
        self.assertNotEqual(
            offers.fingerprint('a'), offers.offer('a', '', '', '', '')
        )
