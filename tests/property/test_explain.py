"""Test that the counts of an explanation add up."""

import json
import re

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.redaction import redact
from tests.property import decisions

FAILURE = re.compile(
    r'^(?:none of [a-z0-9, ]+: )?0/(\d+) hosts?'
    r'(?: that [a-z ]+)?(?:, [^:]+)?(?:: (.*))?$'
)
PASSED = re.compile(r'^(\d+)/(\d+) hosts?(?: that [a-z ]+)? passed'
                    r'(?:: ([^;]*))?; ')
PLACED = re.compile(
    r'^(?:server \d+ of \d+: )?[\w ]+ chosen from (\d+) of (\d+) '
    r'hosts?(?: that [a-z ]+)?(?:: ([^;]*))?(?:; |$)'
)


def parsed(decision, server=''):
    """Passed hosts, counts of the parts, and the total of a sentence."""
    sentence = explain(decision, server).sentence
    if decision.outcome == d.PLACED:
        if sentence.endswith('chosen; how is not recorded'):
            return None
        passed, total, parts = PLACED.match(sentence).groups()
    elif decision.outcome == d.PASSED:
        passed, total, parts = PASSED.match(sentence).groups()
    else:
        if sentence.startswith('no host') or ': no host' in sentence:
            return None
        passed = 0
        total, parts = FAILURE.match(sentence).groups()
    counts = [
        int(part.split(' ', 1)[0]) for part in (parts or '').split(', ')
        if part
    ]
    return int(passed), counts, int(total)


class SumTest(testtools.TestCase):
    """Numbers are read back out of the sentence."""

    @given(decisions.consistent())
    def test_what_was_decided(self, decision):
        """A whole record: every host is accounted for."""
        for server in ['', *decision.servers]:
            passed, counts, total = parsed(decision, server)
            self.assertEqual(total, passed + sum(counts))
            self.assertEqual(
                decision.hosts_total or decision.attempts[0].hosts_in, total
            )
            explained = explain(decision, server)
            self.assertEqual(
                total, sum(row.count for row in explained.rows)
            )
            self.assertNotIn('not recorded', explained.sentence)

    @given(decisions.anything())
    def test_any_record(self, decision):
        """A cut, broken or contradictory one: the sum still holds."""
        for server in ['', *decision.servers]:
            rows = explain(decision, server).rows
            self.assertGreaterEqual(min([1, *(r.count for r in rows)]), 1)
            numbers = parsed(decision, server)
            if numbers is not None:
                passed, counts, total = numbers
                self.assertEqual(total, passed + sum(counts))
                self.assertEqual(total, sum(row.count for row in rows))

    @given(decisions.consistent())
    def test_unnamed(self, decision):
        """Without names of hosts there are the same numbers."""
        decision.message = decision.by['host'] = 'h1'
        decision.request = {'ignore_hosts': ['h1'], 'other': 'h2'}
        public = redact(decision)
        self.assertNotRegex(json.dumps(public.to_dict()), r'h\d')
        for server in ['', *decision.servers]:
            self.assertEqual(
                parsed(decision, server)[::2], parsed(public, server)[::2]
            )
            self.assertEqual(
                sum(row.count for row in explain(decision, server).rows),
                sum(row.count for row in explain(public, server).rows),
            )

    @given(decisions.anything(words=st.text()))
    def test_any_words(self, decision):
        """Any letters make one printable line."""
        for hosts in True, False:
            explained = explain(decision, hosts=hosts)
            for line in [explained.sentence, *explained.notes]:
                self.assertTrue(line.isprintable(), repr(line))
