"""Read what child zones say, true and untrue."""

import json

import testtools

from nova_ext.zones import zone_info
from nova_ext.zones.answers import MalformedAnswerError
from tests.unit.zones.base import UUID, build_info


def capable(general=None, **services):
    """Return an answer with capabilities, as bytes."""
    return json.dumps(build_info(capabilities={
        'general': general or {}, 'services': services,
    })).encode()


class AnswerTest(testtools.TestCase):
    """Parse answers."""

    def test_whole(self):
        """What fits is taken, and what a later version adds is left out."""
        body = json.dumps(build_info(
            later=1, gathering=True, capabilities={
                'general': {'os': {'values': ['linux']}}, 'later': {},
                'services': {'compute': {'cpu': {'min': 1, 'max': 2.5}}},
            },
        )).encode()
        self.assertEqual(zone_info.ZoneInfo(UUID, 'child', True, {
            'general': {'os': {'values': ['linux']}},
            'services': {'compute': {'cpu': {'min': 1, 'max': 2.5}}},
        }), zone_info.parse(body))

    def test_cleaned(self):
        """Texts lose control characters, and what is too long is cut."""
        parsed = zone_info.parse(capable(
            {'a\x00': {'values': ['b\n', 'b', 'x' * 300, '\ud800']}}
        ))
        (key, summary), = parsed.capabilities['general'].items()
        self.assertEqual('a\N{REPLACEMENT CHARACTER}', key)
        self.assertEqual(
            ['b', 'x' * 254 + '\N{HORIZONTAL ELLIPSIS}',
             '\N{REPLACEMENT CHARACTER}'], summary['values'],
        )

    def test_refused(self):
        """What can't be joined with others is refused, and not quoted."""
        for body, words in (
            (capable(s={'k': {'min': 3, 'max': 2}}), 'min is greater'),
            (capable(s={'k': {'min': 3}}), 'services'),
            (capable(s={'k': {}}), 'services'),
            (capable(s={'k': {'min': 'secret', 'max': 3}}), 'services.min'),
            (capable(s={'k': {'min': 1, 'max': 10**400}}), 'services.max'),
            (capable(s={'k': {'values': ['a;secret']}}), 'services.values'),
            (capable(s={'k': {'values': [' ']}}), 'services.values'),
            # Were it looked at again and again, this took for ever.
            (capable(s={'k': {'values': ['a' * 900_000 + '=']}}),
             'services.values'),
            (capable(s={'k': {'values': [' ' * 900_000]}}),
             'services.values'),
            (capable({'secret=': {'values': ['a']}}), 'general'),
            (capable(s={'k': {'min': 1, 'max': 1}}).replace(
                b'"max": 1', b'"max": 1e999'), 'services.max'),
            (capable(s={'k': {'min': 1, 'max': 1}}).replace(
                b'"max": 1', b'"max": Infinity'), 'no JSON'),
        ):
            error = self.assertRaises(
                MalformedAnswerError, zone_info.parse, body
            )
            self.assertIn(words, str(error))
            self.assertNotIn('secret', str(error))
