"""What a project's member may see of a decision that Nova makes."""

import json

from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.redaction import redact
from tests.functional import base, rack


class MembersViewTest(base.CloudTestCase):
    """A filter of another package says which host it rejects."""

    enabled_filters = ('ComputeFilter', 'SpecifiedHostFilter', 'RackFilter')

    def configure(self):
        """Load the filter from a plain file."""
        self.flags(plugin_files=[rack.__file__], group='nova_ext')

    def shown(self, hints):
        """What an operator and a member get of a boot, as JSON."""
        self.boot(hints, expected_state='ERROR')
        decision = self.decisions()[-1]
        self.sentence = explain(
            decision, hosts=False, reader=decision.user_id
        ).sentence
        return [
            json.dumps(serialized.serialize(each)).lower()
            for each in (decision, redact(decision, decision.user_id))
        ]

    def test_reasons_of_others(self):
        """Members read who rejected how many hosts, and no name."""
        for form in 'lower', 'upper', 'title':
            operator, member = self.shown({'rack': form})
            self.assertIn('rack_cmp-1.example.org', operator)
            self.assertNotIn('cmp-', member)
            self.assertEqual(
                '0/3 hosts: 3 rejected by RackFilter', self.sentence
            )

    def test_hint_of_an_administrator(self):
        """Of a server that an administrator made; a member has none of it."""
        self.boot(
            {'requested_host': 'cmp-2', 'rack': 'x'}, self.client('boss'),
            expected_state='ERROR',
        )
        decision = self.decisions()[-1]
        self.assertEqual('boss', decision.user_id)
        self.assertNotIn('cmp-', str(redact(decision, 'joe')))
        self.assertIn('cmp-2', str(redact(decision, 'boss')))

    def test_own_reason(self):
        """A hint is the member's word, and so is what the filter says."""
        _, member = self.shown({'requested_host': 'x-1'})
        self.assertEqual(
            '0/3 hosts: 3 requested_host is x-1 (SpecifiedHostFilter)',
            self.sentence,
        )
        self.assertNotIn('cmp-', member)
