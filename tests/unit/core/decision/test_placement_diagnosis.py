"""Which part kept all hosts out."""

from urllib import parse

import testtools

from nova_ext.core.decision import placement_query as q
from nova_ext.core.decision.placement_diagnosis import QUESTIONS, find_out

AT = '2026-11-21T12:00:05.000Z'


class FindOutTest(testtools.TestCase):
    """Asks a placement with one host that has some of everything."""

    def find_out(self, query, traits=(), cannot_tell=(), **has):
        """What is found out; ``self.questions`` are those that it took."""
        self.questions = []

        def ask(text):
            self.questions.append(text)
            asked = dict(parse.parse_qsl(text))
            self.assertEqual('1', asked['limit'])
            if any(word in text for word in cannot_tell):
                return None
            demands = [
                has.get(name, 0) >= int(amount)
                for item in asked['resources'].split(',')
                for name, amount in [item.split(':')]
            ]
            wanted = asked.get('required')
            demands += [
                trait in traits for trait in (wanted or '').split(',')
                if trait
            ]
            return all(demands)

        return find_out(AT, query, q.parts(query), ask)

    def says(self, sentence, *args, **kwargs):
        """Assert on the sentence."""
        found = self.find_out(*args, **kwargs)
        self.assertEqual(sentence, found.sentence(AT))

    def test_another_day(self):
        """It is told where the decision was made on another one."""
        found = self.find_out('resources=VCPU:1', VCPU=1)
        for since, when in (
            ('2026-11-21T23:59:59.000Z', '12:00:05'),
            ('2026-11-20T23:59:59.000Z', '2026-11-21 12:00:05'),
        ):
            self.assertEqual(
                f'asked again at {when} UTC, placement offers a host',
                found.sentence(since),
            )

    def test_one_part(self):
        """Without it there is a host."""
        self.says(
            'asked again at 12:00:05 UTC, placement offers a host without '
            'RAM:9', 'limit=9&resources=RAM:9,CPU:1&required=A', 'A', RAM=8,
            CPU=1,
        )
        self.says(
            'asked again at 12:00:05 UTC, placement offers a host without '
            'trait B required', 'resources=RAM:9&required=A,B', 'A', RAM=9,
        )

    def test_offers(self):
        """A host was freed meanwhile: one question is enough."""
        self.says('asked again at 12:00:05 UTC, placement offers a host',
                  'resources=RAM:9', RAM=9)
        self.assertEqual(1, len(self.questions))

    def test_several_resources(self):
        """Neither alone stands in the way, as both do."""
        self.says(
            'asked again at 12:00:05 UTC, no host has RAM:9 nor DISK:9 free',
            'resources=RAM:9,CPU:1,DISK:9', RAM=8, CPU=1, DISK=8,
        )

    def test_several_traits(self):
        """Only without all of them."""
        self.says(
            'asked again at 12:00:05 UTC, placement offers a host without '
            'its traits and aggregates together',
            'resources=RAM:9&required=A,B', RAM=9,
        )

    def test_nothing_is_told(self):
        """Placement does not answer, or nothing comes of it."""
        self.says('', 'resources=RAM:9', cannot_tell=['RAM'])

    def test_bound(self):
        """However many parts there are."""
        classes = ','.join(f'C{n}:1' for n in range(99))
        for traits in ('A', ','.join(f'T{n}' for n in range(99))):
            self.find_out(f'resources={classes}&required={traits}')
            self.assertLessEqual(len(self.questions), QUESTIONS)
        self.find_out('resources=RAM:9,CPU:1&required=A')
        self.assertLessEqual(len(self.questions), QUESTIONS)
