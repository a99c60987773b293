"""The record holds whatever is put into it."""

import io
import json

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core import decision as d
from nova_ext.record import reader, shorten
from tests.property import decisions


class LineTest(testtools.TestCase):
    """Decisions as lines."""

    @given(decisions.anything(words=st.text()))
    def test_json_and_back(self, decision):
        """Nothing is lost in JSON, full or sparse."""
        for data in (decision.to_dict(), decision.to_sparse_dict()):
            read = d.Decision.from_dict(json.loads(json.dumps(data)))
            self.assertEqual(decision, read)

    @given(decisions.anything(words=st.text()), st.integers(1, 99))
    def test_bounded(self, decision, copies):
        """A line is whole, no longer than it may be, and can be found."""
        decision.request_id = 'req-1'
        decision.attempts = decision.attempts * copies
        decision.message = decision.message * copies
        line = shorten.to_line(decision, 4096)
        self.assertLessEqual(len(line), 4096)
        found = reader.search([io.BytesIO(line)], 'req-1')
        self.assertEqual((1, 0), (found.matches, found.garbage))
        self.assertEqual(decision.outcome, found.decisions[0].outcome)

    @given(decisions.consistent())
    def test_shortened_counts(self, decision):
        """Shortening cuts names, never counts."""
        read = d.Decision.from_dict(
            json.loads(shorten.to_line(decision, 65536))
        )
        for before, after in zip(
            decision.attempts, read.attempts, strict=True
        ):
            self.assertEqual(before.ranked_count, after.ranked_count)
            self.assertEqual(
                [[r.count for r in s.rejections] for s in before.steps],
                [[r.count for r in s.rejections] for s in after.steps],
            )


class GarbageTest(testtools.TestCase):
    """Files that hold anything."""

    @given(st.lists(st.binary(max_size=60), max_size=20),
           st.integers(0, 20))
    def test_reader(self, garbage, at):
        """Garbage is counted, and a decision amid it is found."""
        lines = [text.replace(b'\n', b' ') + b'\n' for text in garbage]
        made = d.Decision('t', 'req-1', ['s'])
        lines.insert(at, shorten.to_line(made, 4096))
        found = reader.search([io.BytesIO(b''.join(lines))], 's')
        self.assertEqual([made], found.decisions)
        self.assertEqual(len(garbage), found.garbage)

    @given(st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(list(d.Decision.__dataclass_fields__)), inner
        ),
    ))
    def test_any_json(self, data):
        """Any JSON is a decision or a TypeError."""
        try:
            read = d.Decision.from_dict(data)
        except TypeError:
            return
        self.assertEqual(data['request_id'], read.request_id)
