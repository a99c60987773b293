"""Read placement's own words."""

import json

import testtools

from nova_ext.core.decision.placement_refusal import (
    MAX_LETTERS,
    parse_claim_refusal,
    parse_refusal,
    redact_refusal,
)


def body(**error):
    """Return a body as the API's guideline for errors has it."""
    return json.dumps({'errors': [error]})


class RefusalTest(testtools.TestCase):
    """Refusals and outages."""

    def test_words(self):
        """What webob says before is left out."""
        self.assertEqual('400: No such trait(s): CUSTOM_X.', parse_refusal(
            400, body(detail=(
                'The server could not comply with the request since it is '
                'either malformed or otherwise incorrect.\n\n No such '
                'trait(s): CUSTOM_X.  '
            ))
        ))
        self.assertEqual('403: Forbidden', parse_refusal(
            403, body(title='Forbidden')
        ))

    def test_claims(self):
        """Used-up room is no reason of its own."""
        for words, kept in (
            ('The requested amount would exceed the capacity.', ''),
            ('The requested amount would violate inventory constraints.',
             '409: Unable to create allocation for \'VCPU\'. The requested '
             'amount would violate inventory constraints.'),
        ):
            self.assertEqual(kept, parse_claim_refusal(409, body(detail=(
                f'There was a conflict when trying to complete your request.'
                f'\n\n Unable to allocate inventory: Unable to create '
                f'allocation for \'VCPU\' on resource provider '
                f'\'b6f2a1c4-1111-4222-8333-444455556666\'. {words}  '
            ))))
        self.assertEqual('', parse_claim_refusal(503, body(detail='x')))

    def test_outage(self):
        """An outage is no refusal."""
        for status in (500, 502, 503, 504, 301):
            self.assertEqual('', parse_refusal(status, body(detail='x')))

    def test_other_bodies(self):
        """The status is told where the body is none of placement's."""
        for text in ('', '<html>', '[]', '{}', '{"errors": []}',
                     '{"errors": [7]}', body(), body(detail='')):
            self.assertEqual('401', parse_refusal(401, text), text)

    def test_bound(self):
        """Long words are cut."""
        self.assertEqual(
            len('400: ') + MAX_LETTERS,
            len(parse_refusal(400, body(detail='x' * 9999))),
        )

    def test_redacted(self):
        """Words that may name an aggregate or a provider are withheld."""
        for refusal in (
            '', '401', '400: No such trait(s): CUSTOM_X, HW_Y.',
            '400: Invalid resource class in resources parameter: No such '
            'resource class CUSTOM_X.',
            '400: Conflicting required and forbidden traits found in the '
            'following traits keys: required: (HW_X), required_a-1: (HW_Y)',
            '400: The "group_policy" parameter is required when specifying '
            'more than one "resources{N}" parameter.',
        ):
            self.assertEqual(refusal, redact_refusal(refusal, 'withheld'))
        for refusal in (
            '400: Invalid query string parameters: Expected \'member_of\' '
            'parameter to contain valid UUID(s). Got: rack-1',
            '400: On instance: {\'in_tree\': '
            '\'b6f2a1c4-1111-4222-8333-444455556666\'}',
            '400: No such trait(s): CUSTOM_X. Got: rack-1', '400: cmp-1: x',
        ):
            self.assertEqual(
                '400: withheld', redact_refusal(refusal, 'withheld')
            )
