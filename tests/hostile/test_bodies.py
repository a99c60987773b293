"""Send hostile bodies, paths, queries and headers to the whole API."""

from collections import Counter
from urllib import parse

from nova_ext.api.operations import list_operations
from tests.hostile import drawing
from tests.unit.api import base as api_base
from tests.unit.api.base import at, failed, placed
from tests.unit.api.handlers import test_simulations
from tests.unit.record import samples
from tests.unit.zones import base as zones_base
from tests.unit.zones.api.handlers import test_offers
from tests.unit.zones.builds.test_planning import BuildsTestCase
from tests.unit.zones.offers import base

REQUESTS = 4000
#: Most may do what they ask for.
CALLERS = (
    *('admin',) * 8, *(zones_base.TOKEN,) * 8, *('member',) * 4, 'reader',
    'other', 'nobody', 'nonsense', None,
)
_ITEM = {
    'build': zones_base.UUID, 'parent': zones_base.OTHER_UUID, 'name': 'web',
    'request': base.BUILD, 'request_id': base.new_ids(1)[0],
    'offer': '1.x', 'expires_at': 2**31, 'via': [], 'tag': 'nx:1',
    'deadline_s': 1,
}
#: A body that fits, of each operation that takes one.
BODIES = {
    'simulations_simulate': test_simulations.body(hints={'a': ['b']}),
    'simulations_capacity': test_simulations.body({'filters': ['F']}),
    'rehearsals_rehearse': {'rehearsal': {
        'hosts': ['cmp-1'], 'is_loss': True, 'moved': [{
            'server': samples.SERVER, 'name': 's', 'flavor': '1',
            'operation': 'evacuate', 'source': 'cmp-1', 'outcome': 'placed',
        }],
    }},
    'rehearsals_rehearse_losses': {'losses': {
        'losses': {'cmp-1': ['cmp-1']}, 'orders': ['listed'],
    }},
    'offers_make': test_offers.question(),
    'offers_give_back': {'request_ids': base.new_ids(2)},
    'items_put': {'item': _ITEM},
    'zones_create': {'zone': {
        'name': 'z', 'url': 'http://127.0.0.1:9/', 'cloud': 'child',
    }},
    'zones_update': {'zone': {'weight_scale': 2.0}},
    'builds_create': {'dry_run': True, 'build': {
        **base.BUILD, 'name': 'web', 'count': 2, 'hints': {'a': 'b'},
    }},
}
_IDS = (zones_base.UUID, samples.SERVER, '1', '2', '%00', '..', '%ed%a0%80')


class _Scheduler(api_base.FakeScheduler):
    """Answer all that the API asks."""

    def __init__(self):
        super().__init__()
        self._offering = base.Scheduler(*range(10, 30))

    def make_offers(self, context, question):
        """Offer what is left."""
        return self._offering.make_offers(context, question)


class BodiesTest(BuildsTestCase):
    """Have decisions, a build and a child zone."""

    def setUp(self):
        """Fill the database."""
        super().setUp()
        self.backends.fake = _Scheduler()
        self.ship(placed(), *(failed(at=at(second)) for second in range(9)))
        self.ids = [*_IDS, self.build(2)['build']['id']]
        self.add_zone('quiet', 'http://127.0.0.1:9/', is_disabled=True)
        self.dice = drawing.open_dice('bodies')

    def test_bodies(self):
        """Every answer is the API's own, and none is an error of ours."""
        operations = [*list_operations()]
        self.assertEqual(
            {each.name for each in operations if each.body is not None},
            BODIES.keys(),
        )
        counts = Counter()
        for _ in range(REQUESTS):
            operation = self.dice.choice(operations)
            response = self.send(operation)
            counts[response.status_code] += 1
            self.check(operation, response)
        drawing.count('bodies', counts)
        self.assertNotIn('Traceback', self.log.output)
        # Enough of them came past tokens, policies and paths.
        self.assertGreater(counts[400], REQUESTS / 5)
        self.assertGreater(counts[200], REQUESTS / 50)
        # What was there is there, and is answered.
        self.assertEqual(1, len(self.send_whole('/v1/builds', 'member')))

    def send(self, operation):
        """Send one request, of which something is wrong."""
        dice = self.dice
        path = operation.path
        for name in operation.path_values:
            path = path.replace(f'{{{name}}}', dice.choice(self.ids))
        query = {
            dice.choice([*operation.query, 'x']): dice.choice(
                ('', '1', '-1', '9' * 30, 'x' * 999, '\0', zones_base.UUID)
            ) for _ in range(dice.choice((0, 0, 0, 1, 2)))
        }
        headers = {}
        if caller := dice.choice(CALLERS):
            headers['X-Auth-Token'] = caller
        if dice.random() < 0.2:
            headers['OpenStack-API-Version'] = dice.choice((
                'scheduler 1.0', 'scheduler 9.9', 'scheduler latest',
                'scheduler x', 'compute 2.1', '', 'x' * 999,
            ))
        options = {}
        if operation.body is not None or dice.random() < 0.05:
            options['data'] = self.draw_body(operation)
            options['content_type'] = dice.choice(
                ('application/json',) * 9 + ('text/plain',)
            )
        return self.client.open(
            f'{path}?{parse.urlencode(query)}', method=operation.method,
            headers=headers, **options,
        )

    def draw_body(self, operation):
        """Return the bytes of a body."""
        dice, fitting = self.dice, BODIES.get(operation.name, {})
        kind = dice.random()
        if kind < 0.1:
            return drawing.to_json(fitting)
        if kind < 0.8:
            return drawing.to_json(drawing.spoil(fitting, dice))
        if kind < 0.95:
            return drawing.spoil_bytes(drawing.to_json(fitting), dice)
        return drawing.to_json(fitting).ljust(2**21)

    def check(self, operation, response):
        """Hold an answer to what the API answers."""
        sent = f'{operation.name}: {response.status_code} {response.text:.999}'
        if response.status_code >= 400:
            error, = response.json['errors']
            self.assertEqual(response.status_code, error['status'], sent)
            self.assertNotIn('\n', error['detail'], sent)
        if response.status_code >= 500:
            self.assertEqual(503, response.status_code, sent)
            self.assertIn(error['code'], (
                'scheduler.busy', 'scheduler.identity_silent',
                'scheduler.no_scheduler',
            ), sent)

    def send_whole(self, path, who):
        """Return what a list holds."""
        answer, = self.ask(path, who).values()
        return answer
