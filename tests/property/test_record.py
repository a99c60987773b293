"""Test that the record holds whatever is put into it."""

import io
import json
import re

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.host_counts import count_hosts
from nova_ext.record import reader, shortening
from tests.property import decisions


class LineTest(testtools.TestCase):
    """Decisions as lines."""

    @given(decisions.anything(words=st.text()))
    def test_json_and_back(self, decision):
        """Nothing is lost in JSON, full or sparse."""
        for data in (decision.to_dict(), decision.to_sparse_dict()):
            self.assertEqual(decision, read(json.dumps(data)))

    @given(decisions.anything(words=st.text()), st.integers(1, 99))
    def test_bounded(self, decision, copies):
        """A line is whole, no longer than it may be, and can be found."""
        decision.request_id = 'req-1'
        decision.attempts = decision.attempts * copies
        decision.message = decision.message * copies
        line = shortening.to_line(decision, 4096)
        self.assertLessEqual(len(line), 4096)
        search = reader.search([io.BytesIO(line)], 'req-1')
        self.assertEqual((1, 0), (search.matches, search.garbage))
        self.assertEqual(decision.outcome, search.decisions[0].outcome)

    @given(decisions.consistent(), st.sampled_from([0, 100, 300, 2000]),
           st.booleans())
    def test_shortened(self, decision, letters, in_full):
        """Counts are kept and add up, and what was left out is told."""
        decision = long_names(decision, letters)
        whole = read(shortening.to_line(decision, 10**9, in_full=in_full))
        line = shortening.to_line(decision, 4096, in_full=in_full)
        short = read(line)
        self.assertLessEqual(len(line), 4096)
        self.assertEqual([], whole.left_out)
        self.assertEqual(short == whole, not short.left_out)
        self.assertEqual(decision.outcome, short.outcome)
        if 'all but the outcome' in short.left_out:
            return
        self.assertEqual(
            {s: hosts[0] for s, hosts in decision.chosen.items()},
            {s: hosts[0] for s, hosts in short.chosen.items()},
        )
        for place in 0, -1:
            self.assertEqual(
                counts(decision.attempts[place]),
                counts(short.attempts[place]),
            )
        for server in decision.servers:
            total = count_hosts(decision, server).total
            self.assertEqual(total, count_hosts(short, server).total)
            rows = explain(short, server).rows
            if count_hosts(short, server).attempt:
                self.assertEqual(total, sum(row.count for row in rows))


def long_names(decision, letters):
    """Return the decision, with longer names of hosts."""
    text = re.sub(
        r'"(h\d)"', lambda name: f'"{name[1]}{"x" * letters}"',
        json.dumps(decision.to_dict()),
    )
    return d.Decision.from_dict(json.loads(text))


def read(line):
    """Return the decision of a line."""
    return d.Decision.from_dict(json.loads(line))


def counts(attempt):
    """Return the hosts by step and reason, and those that are left."""
    return attempt.hosts_in, attempt.ranked_count, [
        (step.name, [(each.reason, each.count) for each in step.rejections])
        for step in attempt.steps if step.rejections
    ]


class GarbageTest(testtools.TestCase):
    """Files that hold anything."""

    @given(st.lists(st.binary(max_size=60), max_size=20),
           st.integers(0, 20))
    def test_reader(self, garbage, at):
        """Garbage is counted, and a decision amid it is found."""
        lines = [text.replace(b'\n', b' ') + b'\n' for text in garbage]
        made = d.Decision('t', 'req-1', ['s'])
        lines.insert(at, shortening.to_line(made, 4096))
        search = reader.search([io.BytesIO(b''.join(lines))], 's')
        self.assertEqual([made], search.decisions)
        self.assertEqual(len(garbage), search.garbage)

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
