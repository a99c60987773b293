"""Compare requirements with Nova's operators."""

import testtools
from hypothesis import assume, given
from hypothesis import strategies as st
from nova.scheduler.filters import extra_specs_ops

from nova_ext.core.stats import requirement

NUMBERS = st.integers(-5, 5) | st.floats(-1e6, 1e6)
WORDS = st.sampled_from(['a', 'b', 'ab', 'ba', 'c', '1', '-2', 's'])
REQUIREMENTS = st.one_of(
    st.tuples(
        st.sampled_from(['=', '==', '!=', '>=', '<=']), NUMBERS
    ).map(lambda pair: f'{pair[0]} {pair[1]}'),
    st.tuples(
        st.sampled_from(
            ['s==', 's!=', 's<', 's<=', 's>', 's>=', '<in>', '<all-in>']
        ), WORDS,
    ).map(' '.join),
    st.lists(WORDS, min_size=1).map(lambda ws: '<all-in> ' + ' '.join(ws)),
    st.lists(WORDS, min_size=1).map(
        lambda words: ' '.join(f'<or> {word}' for word in words)
    ),
    WORDS, st.text(),
)


class DifferentialTest(testtools.TestCase):
    """Ours against Nova's."""

    @given(NUMBERS | WORDS, REQUIREMENTS)
    def test_as_nova(self, value, text):
        """The same verdict, unless it is unreadable or no number."""
        try:
            asked = requirement.parse_requirement(text)
        except requirement.UnreadableError:
            assume(False)
        try:
            novas = extra_specs_ops.match(str(value), text)
        except ValueError:
            novas = False
        self.assertEqual(novas, asked.is_met_by(value))
