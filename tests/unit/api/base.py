"""Run the application in this process, over SQLite, with its own tokens."""

import json
from datetime import timedelta
from pathlib import Path

import fixtures
import testtools
from keystoneauth1.fixture import V3Token
from keystonemiddleware.fixture import AuthTokenFixture
from oslo_config import cfg
from oslo_config import fixture as config
from werkzeug.test import Client

from nova_ext.api import service
from nova_ext.conf import all_options
from nova_ext.core.base.scheduling_errors import (
    MoveRefusedError,
    WrongArgumentsError,
)
from nova_ext.core.decision import decision as d
from nova_ext.core.rpc import capacity as c
from nova_ext.core.rpc.losses import Loss, Losses
from nova_ext.core.rpc.move_request import SimulatedMove
from nova_ext.core.rpc.offers import OfferAnswer
from nova_ext.core.rpc.rehearsal import (
    Rehearsal,
    RehearsedMove,
    SpareHosts,
)
from nova_ext.decisions import queries
from nova_ext.record import shortening
from nova_ext.record.tail import Place
from tests.unit.database.databases import make_database
from tests.unit.record import samples

OURS, THEIRS = 'a' * 32, 'b' * 32

#: What decides, as a scheduler tells it.
IN_FORCE = {
    'host': 'ctl',
    'filters': [
        {'name': 'ComputeFilter', 'source': 'n.ComputeFilter', 'hints': []},
        {'name': 'SpecifiedHostFilter', 'source': 'x.SpecifiedHostFilter',
         'hints': ['requested_host']},
        {'name': 'RackFilter', 'source': 'y.RackFilter', 'hints': None},
    ],
    'weighers': [
        {'name': 'RAMWeigher', 'source': 'n.RAMWeigher', 'hints': [],
         'multiplier': 1.0},
        {'name': 'SpecifiedHostWeigher', 'source': 'x.SpecifiedHostWeigher',
         'hints': ['requested_host'], 'multiplier': None},
    ],
    'drivers': [
        {'name': 'FilterScheduler', 'source': 'x.FilterScheduler',
         'hints': [], 'topic': 'compute'},
    ],
    'costs': [
        {'name': 'OwnerServersCost', 'source': 'x.OwnerServersCost',
         'hints': ['nova_ext_owner'], 'weight': 1},
    ],
}


class FakeScheduler:
    """Simulate a scheduler of three hosts, which chooses always the same.

    :ivar asked: the last request and its changes.
    :ivar error: raised in place of an answer.
    :ivar reason: why no loss is decided from a snapshot.
    :ivar services: what services report.
    """

    def __init__(self):
        self.asked = self.switched = None
        self.error = None
        self.reason = ''
        self.services = {
            'services': {'compute': {'cpu': {'min': 0.1, 'max': 3.5}}},
            'gathering': False,
        }

    def service_capabilities(self, context):
        """Return those of one service."""
        return self._answer(None, self.services)

    def simulate(self, context, request, *, changes):
        """Return a decision that placed a server."""
        return self._answer((request, changes), placed())

    def simulate_move(self, context, request, *, changes):
        """Return a decision that placed a server, and a note."""
        if request.host == 'full':
            raise MoveRefusedError('nova-api refuses migrate: no')
        return self._answer(
            (request, changes), SimulatedMove(placed(), ['not looked at'])
        )

    def rehearse(self, context, request):
        """Return two moves a call: one finds a host, one finds none."""
        done = len(request.moved)
        if self.error is None and request.hosts == ['empty']:
            return self._answer(request, Rehearsal())
        moves = [
            RehearsedMove(
                f'11111111-2222-3333-4444-{done + number:012}', 'web', 'm1',
                'evacuate' if request.is_loss else 'live-migrate',
                request.hosts[0],
                **({'host': 'cmp-2', 'has_local_disk': request.is_loss}
                   if number == 0 or request.order == 'largest' else
                   {'outcome': 'no host', 'reason': '0/3 hosts: none'}),
            ) for number in range(2)
        ]
        return self._answer(request, Rehearsal(moves, max(0, 2 - done)))

    def rehearse_losses(self, context, request):
        """Return the first loss; without a mirror, none."""
        if self.reason:
            return self._answer(request, Losses(
                remaining=len(request.losses), reason=self.reason
            ))
        name, *others = request.losses
        return self._answer(request, Losses([
            Loss(name, 3, undecided=1, reason='NUMA topology')
            if name == 'cmp-3' else Loss(
                name, 4, request.orders[0], 2, 1, 1, 2,
                spare=SpareHosts(2, 'cmp-7', 'b'),
            )
        ], len(others)))

    def capacity(
        self, context, request, *, changes, is_empty=False, diagnose=True
    ):
        """Return a capacity of seven servers; of 9 of the empty cloud."""
        if is_empty:
            return c.Capacity(c.ServerRange(9, 9), bounded=diagnose)
        if request.flavor.vcpus > 1000:
            raise WrongArgumentsError('BootRequest: too many vcpus')
        return self._answer((request, changes), c.Capacity(
            c.ServerRange(5, 7), {'nova': c.ServerRange(5, 7)},
            {'fast': c.ServerRange(2, 2)},
            {'compute-00001.example.org': c.ServerRange(5, 7)}, {'VCPU': 1},
            decision=placed(),
        ))

    def make_offers(self, context, question):
        """Return that there is no room on any of the three hosts."""
        return self._answer(question, OfferAnswer([], {'resource:VCPU': 3}))

    def in_force(self, context):
        """Return three filters, two weighers and a driver."""
        return self._answer(None, IN_FORCE)

    def mirror_states(self, context):
        """Return those of two workers, of which one has none."""
        return self._answer(None, [
            {'host': 'ctl', 'worker': 7, 'mode': 'on', 'state': 'on',
             'reason': '', 'age_s': 3.2, 'hosts': 3, 'providers': 9,
             'providers_read': 8, 'refusing': ['p7'], 'decided': 5,
             'verified': 1, 'differing': 0, 'fallbacks': {'no_host': 2}},
            {'host': 'ctl2', 'worker': 8, 'mode': 'off', 'state': 'off'},
        ])

    def diagnose(self, context, placement, ended):
        """Return that the one host that is left out is disabled.

        Placement is asked a second after the decision.
        """
        at = (ended + timedelta(seconds=1)).isoformat()
        return self._answer(placement, d.PlacementDiagnosis(
            at, placement.query,
            offered=placement.offered,
            left_out=[d.LeftOut(['is disabled'], 1, ['compute-00009'])],
        ))

    def _answer(self, asked, answer):
        if self.error:
            raise self.error
        self.asked = asked
        return answer


def placed():
    """Return a decision of which every part names hosts."""
    made = samples.success(hosts=3, rejected=1)
    made.by = {'host': 'ctl', 'mode': 'scheduler'}
    made.attempts[0].steps[0].rejections[0].details = {
        'compute-00000.example.org': 'by an operator: compute-00002 first'
    }
    return made


class Backends:
    """Hold the test's database and the fake scheduler."""

    def __init__(self, database):
        self._database = database
        self.fake = FakeScheduler()

    def scheduler(self):
        """Return the fake scheduler."""
        return self.fake

    def database(self):
        """Return the test's database."""
        return self._database

    def once(self, build):
        """Return what the options of the test say."""
        return build(cfg.CONF)


class ApiTestCase(testtools.TestCase):
    """Send requests with tokens that are named after their roles."""

    #: Whether Keystone is there to say whose a token is.
    keystone = True
    #: Further lines of ``[keystone_authtoken]``.
    authtoken = ''

    def setUp(self):
        """Build the application with an empty database."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.log = self.useFixture(fixtures.FakeLogger())
        self.conf = self.useFixture(config.Config(cfg.CONF))
        (folder / 'api.conf').write_text(
            '[keystone_authtoken]\nwww_authenticate_uri = http://keystone/\n'
            + self.authtoken
        )
        self.conf.conf(args=[
            '--config-file', str(folder / 'api.conf')
        ], default_config_files=[])
        all_options.register_all_opts(cfg.CONF)
        self.conf.config(
            group='nova_ext', policy_file=str(folder / 'policy.yaml')
        )
        self.tokens = AuthTokenFixture()
        if self.keystone:
            self.useFixture(self.tokens)
            self.add_tokens()
        self.database = make_database(folder / 'd.sqlite')
        self.backends = Backends(self.database)
        self.client = Client(service.build(cfg.CONF, self.backends))

    def add_tokens(self):
        """Add a token for each role, and others."""
        for role in ('reader', 'member', 'manager', 'admin'):
            self.add_token(role, OURS, role)
        self.add_token('other', THEIRS, 'member')
        self.add_token('nobody', OURS)
        self.add_token('auditor', None, 'reader')

    def add_token(self, name, project, *roles):
        """Add a token; without a project its scope is the system."""
        token = V3Token(user_id=f'{name}-id', project_id=project)
        if project is None:
            token.set_system_scope()
        for role in roles:
            # What a role implies stands in the token, too.
            implied = ('reader', 'member', 'manager', 'admin')
            for each in implied[:implied.index(role) + 1]:
                token.add_role(name=each)
        self.tokens.add_token(token, name)

    def ship(self, *made):
        """Put decisions into the database."""
        lines = [
            shortening.to_line(each, 10**6, in_full=True) for each in made
        ]
        with self.database.writing() as session:
            queries.ship(session, 'ctl', lines, Place('f', 1))

    def ask(self, path, who='admin', status=200, method='GET', **options):
        """Send a request, and return the answer.

        :param status: that it has to have.
        :returns: the answer, read if it is JSON.
        """
        headers = {'X-Auth-Token': who} if who else {}
        headers |= options.pop('headers', {})
        response = self.client.open(
            path, method=method, headers=headers, **options
        )
        self.assertEqual(status, response.status_code, response.text)
        self.headers = response.headers
        if response.mimetype == 'application/json':
            return json.loads(response.text)
        return response.text

    def post(self, path, body, who='admin', status=200, **options):
        """Send a request with a body."""
        return self.ask(path, who, status, 'POST', json=body, **options)

    def refusal(self, path, who='admin', status=400, **options):
        """Return the line with which a request is refused."""
        body = self.ask(path, who, status, **options)
        error, = body['errors']
        self.assertEqual(status, error['status'])
        self.assertEqual(
            self.headers['X-Openstack-Request-Id'], error['request_id']
        )
        self.assertTrue(error['code'].startswith('scheduler.'))
        self.assertTrue(error['title'])
        self.assertNotIn('Traceback', error['detail'])
        self.assertNotIn('\n', error['detail'])
        return error['detail']


def failed(**fields):
    """Return a decision of our project that found no host."""
    return samples.failure(**{'project_id': OURS, **fields})


def at(second):
    """Return a time."""
    return f'2026-11-21T12:00:{second:02}.000Z'


