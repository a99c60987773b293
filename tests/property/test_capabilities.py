"""Any capabilities: text and back, rolled up at any depth."""

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats import capabilities as caps
from nova_ext.core.stats import zone_capabilities

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
REPORTS = st.lists(st.tuples(
    st.sampled_from(caps.HOST_SERVICES),
    st.dictionaries(
        st.sampled_from('ab'), st.lists(
            NUMBERS.map(str) | st.sampled_from(['kvm', 'xen', 'nan', '1_0']),
            max_size=4,
        ).map(tuple),
    ),
), max_size=4)
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
    def test_range_of_numbers(self, hosts):
        """No value of any host is outside, and both ends are values."""
        summary = zone_capabilities.summarize_services(
            ('s', caps.validate({'k': values})) for values in hosts
        )['s']['k']
        every = [float(value) for values in hosts for value in values]
        self.assertEqual(
            {'min': min(every), 'max': max(every)}, summary
        )

    @given(st.lists(REPORTS, min_size=1, max_size=6), st.data())
    def test_any_depth(self, hosts, data):
        """Any tree of zones, also with a zone in it twice, gives the same."""
        zones = [_zone(reports) for reports in hosts]
        whole = _zone([report for reports in hosts for report in reports])
        self.assertEqual(whole, zone_capabilities.join_zones(zones))
        trees = data.draw(st.permutations([
            *zones, *data.draw(st.lists(st.sampled_from(zones), max_size=3))
        ]))
        while len(trees) > 1:
            count = data.draw(st.integers(2, len(trees)))
            trees = [
                zone_capabilities.join_zones(trees[:count]), *trees[count:]
            ]
        self.assertEqual(whole, trees[0])


def _zone(reports):
    """Return what a zone has whose services report this."""
    services = zone_capabilities.summarize_services(reports)
    return {'general': services.get('compute', {}), 'services': services}
