"""Requirements of stats: what is read, what is refused, what is met."""

import math

import testtools

from nova_ext.core.stats import requirement


class ParseTest(testtools.TestCase):
    """Parse what users write."""

    def test_unreadable(self):
        """Refuse what Nova would compare as text."""
        for text, words in (
            ('', 'no operator'), ('< 8', 'no operator'),
            ('<=8', 'no operator'), ('=> 8', 'no operator'),
            ('s=< a', 'no operator'), ('!8', 'no operator'),
            ('<=', 'needs one number'), ('<= 8 GB', 'needs one number'),
            ('>= many', 'needs one number'), ('== nan', 'needs one number'),
            ('= inf', 'needs one number'), ('<in>', 'needs one word'),
            ('s== a b', 'needs one word'), ('<all-in>', 'needs words'),
            ('<or>', 'before each'), ('<or> a b', 'before each'),
            ('<or> a <or>', 'before each'),
            ('<or> a <or> <or>', 'before each'),
        ):
            error = self.assertRaises(
                requirement.UnreadableError,
                requirement.parse_requirement,
                text,
            )
            self.assertIn(words, str(error))
            self.assertIn(repr(text), str(error))

    def test_long(self):
        """Keep no text that is longer than Nova's extra specs."""
        requirement.parse_requirement('x' * 255)
        error = self.assertRaises(
            requirement.UnreadableError, requirement.parse_requirement,
            'x' * 256,
        )
        self.assertIn('longer than 255', str(error))

    def test_finite(self):
        """Margins can be added, however small the bound."""
        for text, value in ('>= 1e-320', 8), ('<= 1e-320', 1e308):
            self.assertTrue(math.isfinite(
                7 * requirement.parse_requirement(text).get_margin(value)
            ))

    def test_bare_value(self):
        """It is to be equal, blanks and all."""
        required = requirement.parse_requirement('fast ssd')
        self.assertTrue(required.is_met_by('fast ssd'))
        self.assertFalse(required.is_met_by('fast'))


class MetTest(testtools.TestCase):
    """Values of the kinds that stats have."""

    def test_met(self):
        """Numbers, texts and truths."""
        for text, met, missed in (
            ('<= 8', (8, 7.5, '3'), (8.1, 'x', True, '')),
            ('= 2', (2, 3), (1,)),
            ('!= 2', (3,), (2, 2.0, 'x')),
            ('== 1e3', (1000,), (1,)),
            ('s> a', ('b',), ('a',)),
            ('<in> ss', ('fast-ssd',), ('hdd',)),
            ('<all-in> a b', ('cab',), ('a',)),
            ('<or> a <or> b', ('a', 'b'), ('ab',)),
            ('true', (True, 'true'), (False, 1)),
            ('7', (7, '7'), (7.0, '07')),
        ):
            required = requirement.parse_requirement(text)
            self.assertEqual(
                [True] * len(met) + [False] * len(missed),
                [required.is_met_by(value) for value in (*met, *missed)], text,
            )

    def test_margin(self):
        """Parts of the bound, on the side that is asked for."""
        for text, value, margin in (
            ('<= 8', 2, 0.75), ('<= 8', 16, -1.0), ('>= 10', 15, 0.5),
            ('= 10', 5, -0.5), ('<= 0', 2, -2.0), ('>= -4', -2, 0.5),
            ('== 8', 2, 0.0), ('!= 8', 2, 0.0), ('ssd', 'ssd', 0.0),
            ('<= 8', 'x', 0.0),
        ):
            self.assertEqual(
                margin,
                requirement.parse_requirement(text).get_margin(value),
                text,
            )
