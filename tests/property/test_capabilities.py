"""Any capabilities: text and back, least and greatest."""

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats import capabilities as caps

WORDS = st.text(
    st.characters(exclude_characters='=;,', exclude_categories=('Cs',)),
    max_size=20,
).map(str.strip)
CAPABILITIES = st.dictionaries(
    WORDS.filter(bool),
    st.lists(WORDS.filter(bool), unique=True, max_size=4).map(tuple),
    max_size=8,
)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


class CapabilitiesPropertyTest(testtools.TestCase):
    """Over all keys and values."""

    @given(CAPABILITIES)
    def test_there_and_back(self, given_ones):
        """The text form loses nothing; what is checked stays as it is."""
        text = caps.format_text(given_ones)
        self.assertEqual(given_ones, caps.parse(text))
        self.assertEqual(given_ones, caps.validate(given_ones))

    @given(JSON)
    def test_any_json(self, anything):
        """It is taken, and can be written and read, or is refused."""
        try:
            taken = caps.validate(anything)
        except WrongArgumentsError as error:
            self.assertTrue(str(error))
        else:
            self.assertEqual(taken, caps.parse(caps.format_text(taken)))

    @given(st.lists(st.lists(NUMBERS, min_size=1), min_size=1))
    def test_roll_up_of_numbers(self, hosts):
        """No value of any host is outside, and both ends are values."""
        rolled = caps.roll_up(
            ('s', caps.validate({'k': values})) for values in hosts
        )
        least, greatest = map(float, rolled['s_k'].split(','))
        every = [float(value) for values in hosts for value in values]
        self.assertEqual((min(every), max(every)), (least, greatest))
