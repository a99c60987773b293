"""Run openstack scheduler … in this process."""

import contextlib
import io
import json
from html import unescape
from pathlib import Path

import fixtures
import requests

from nova_ext.api.http import microversion
from nova_ext.cli.api_client import Client
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.scheduling_errors import (
    NoSchedulerError,
    UnreachableError,
)
from nova_ext.core.decision import decision as d
from nova_ext.core.rpc.boot_request import BootFlavor, Changes
from nova_ext.core.rpc.capacity import Capacity, ServerRange
from nova_ext.core.rpc.move_request import MoveRequest
from nova_ext.decisions.models import Shipped
from nova_ext.osc import decision, plugin, plugins, simulation
from tests.unit.api.base import OURS, THEIRS, at, failed, placed
from tests.unit.osc import base
from tests.unit.record import samples

OTHER = '22222222-2222-3333-4444-555555555555'
SENTENCE = '0/3 hosts: 3 disabled (ComputeFilter)'


class ActiveServer(base.Cloud):
    """Represent a cloud with any server, and actions of it."""

    def __init__(self, requests, events=()):
        self._actions = [
            {'action': 'resize', 'request_id': request, 'events': [*events],
             'start_time': f'2026-11-21T12:00:0{9 - number}.000000'}
            for number, request in enumerate(requests)
        ]

    def get(self, path, **_):
        """Answer as Nova does."""
        server, _, request = path.removeprefix('/servers/').partition(
            '/os-instance-actions'
        )
        if not path.startswith(f'/servers/{server}/os-instance-actions'):
            body = {'server': {'id': server, 'status': 'ACTIVE'}}
        elif request:
            body = {'instanceAction': next(
                each for each in self._actions
                if each['request_id'] == request.lstrip('/')
            )}
        else:
            body = {'instanceActions': self._actions}
        return base.Answer(text=json.dumps(body), status_code=200)


class DecisionTest(base.CommandTestCase):
    """Run explain, decision list and decision show."""

    def setUp(self):
        """Store two decisions about a server and one about another."""
        super().setUp()
        self.ship(
            failed(at=at(1)), failed(at=at(2)),
            failed(at=at(3), server=OTHER, project_id=THEIRS),
        )

    def test_explain(self):
        """Print the sentence, table and notes; in JSON all there is."""
        told = self.run_command(
            decision.Explain, samples.SERVER, '--record-only'
        )
        first, *_, last = told.splitlines()
        self.assertEqual(SENTENCE, first)
        self.assertIn('ComputeFilter | rejected', told)
        self.assertEqual('1 older: --all lists them', last)
        whole = self.json_of(decision.Explain, samples.SERVER)
        self.assertEqual(SENTENCE, whole['sentence'])
        self.assertIn(
            'what became of the server is not known: no /servers/',
            whole['after'][0],
        )

    def act(self, *requests, events=()):
        """Have Nova show actions of a server, the newest first."""
        self.manager.sdk_connection = ActiveServer(requests, events)

    def test_server_elsewhere(self):
        """Contradict no server: a stock scheduler shows no claim."""
        made = placed()
        made.by, made.at = {'host': 'ctl', 'mode': 'plugin'}, at(4)
        host = made.attempts[0].ranked[0]
        made.outcome, made.chosen, made.claims = d.NO_VALID_HOST, {}, []
        self.ship(made)
        self.act(made.request_id, events=[{
            'event': 'compute_prep_resize', 'host': host, 'result': 'Success',
            'start_time': '2026-11-21T12:00:10.000000',
        }])
        told = self.json_of(decision.Explain, samples.SERVER)
        self.assertTrue(
            told['sentence'].startswith(f'{host} chosen from '), told
        )
        self.assertEqual(
            (d.PLACED, d.PLACED),
            (told['outcome'], told['decision']['outcome']),
        )

    def test_newest_action(self):
        """Explain its decision, though another one is newer."""
        request = samples.REQUEST.replace('9', '7')
        self.ship(failed(at=at(0), request_id=request, hosts=2))
        self.act(request, samples.REQUEST)
        told = self.json_of(decision.Explain, samples.SERVER)
        self.assertEqual(
            '0/2 hosts: 2 disabled (ComputeFilter)', told['sentence']
        )
        self.assertEqual(['the server is ACTIVE'], told['after'])

    def test_unrecorded(self):
        """Say so, in place of an older decision, or of none."""
        request = samples.REQUEST.replace('9', '7')
        self.act(request, samples.REQUEST)
        for server in samples.SERVER, OTHER.replace('2', '7'):
            told = self.run_command(decision.Explain, server)
            self.assertEqual(
                f'resize at 2026-11-21 12:00:09 UTC ({request}): no decision '
                'is recorded', told.splitlines()[0],
            )
            self.assertNotIn(SENTENCE, told)
            self.assertEqual(
                f'nova-ext explain {server} on a host of a scheduler asks '
                'Nova what holds now', told.splitlines()[-1],
            )

    def test_all(self):
        """Print a line each, the newest first."""
        told = self.json_of(decision.Explain, samples.SERVER, '--all')
        self.assertEqual([at(2), at(1)], [each['At'] for each in told])

    def test_all_of_many(self):
        """Note what is not listed or was not recorded."""
        self.ship(*(
            failed(at=at(second), user_id=str(second))
            for second in range(4, 60)
        ), *(
            failed(at=at(second), user_id=f'other {second}')
            for second in range(4, 60)
        ))
        with self.database.writing() as session:
            session.get(Shipped, 'ctl').dropped = 3
        told = self.run_command(decision.Explain, samples.SERVER, '--all')
        self.assertEqual(
            ['14 still older ones are not listed',
             '3 decisions dropped so far, counted over all schedulers'],
            told.splitlines()[-2:],
        )

    def test_request_of_several(self):
        """Note a request's older decisions, and those dropped."""
        request = samples.REQUEST.replace('9', '7')
        self.ship(*(
            failed(at=at(second), request_id=request) for second in (4, 5)
        ))
        with self.database.writing() as session:
            session.get(Shipped, 'ctl').dropped = 1
        dropped = '1 decision dropped so far, counted over all schedulers'
        told = self.json_of(decision.Explain, request, '--record-only')
        self.assertEqual(1, told['older'])
        self.assertEqual(
            ['1 older: --all lists them', dropped], told['notes'][-2:]
        )
        none = samples.REQUEST.replace('9', '8')
        error = self.assertRaises(
            NovaExtError, self.run_command, decision.Explain, none
        )
        self.assertIn(f'request {none}; {dropped}', str(error))

    def test_request(self):
        """Explain by the ID of a request, if there is one."""
        told = self.json_of(decision.Explain, samples.REQUEST)
        self.assertEqual([OTHER], told['decision']['servers'])
        self.assertRaises(
            NovaExtError, self.run_command, decision.Explain,
            samples.REQUEST.replace('9', '8'),
        )

    def test_page(self):
        """Write a page of all that is printed."""
        file = Path(self.useFixture(fixtures.TempDir()).path, 'why.html')
        made = placed()
        made.at, made.project_id = at(4), OURS
        made.placement = d.Placement('limit=9', 3, 3, offered='x')
        made.absent = d.Rejection('no candidate from placement', 1)
        self.ship(made)
        with self.database.writing() as session:
            session.get(Shipped, 'ctl').dropped = 3
        self.act(made.request_id)
        for command, words, note in (
            (decision.Explain, (samples.SERVER,), 'the server is ACTIVE'),
            (decision.Explain, (samples.SERVER,),
             'later, compute-00009 is disabled'),
            (decision.Explain, (samples.SERVER,), '2 older: --all lists them'),
            (decision.Explain, (samples.SERVER,), '3 decisions dropped'),
            (decision.ShowDecision, ('3',), at(3)),
        ):
            told = self.run_command(command, *words, '--html', str(file))
            sentence, page = told.splitlines()[0], unescape(file.read_text())
            self.assertIn(f'<h1>{sentence}</h1>', page)
            self.assertIn(note, told)
            self.assertIn(note, page)

    def test_list(self):
        """List up to the limit, and as selected."""
        for words, ids in (
            ((), [3, 2, 1]), (('--limit', '2'), [3, 2]),
            (('--marker', '3', '--limit', '1'), [2]),
            (('--server', OTHER), [3]), (('--project', THEIRS), [3]),
            (('--outcome', 'placed'), []), (('--request', 'x'), []),
        ):
            told = self.json_of(decision.ListDecisions, *words)
            self.assertEqual(ids, [each['ID'] for each in told], words)

    def test_operation(self):
        """Name the operation, or the topic of a service's own."""
        self.ship(
            failed(at=at(4), operation='first boot'),
            failed(at=at(5), operation='', topic='backup'),
        )
        self.assertEqual(['backup', 'first boot'], [
            row['Operation']
            for row in self.json_of(decision.ListDecisions, '--limit', '2')
        ])

    def test_numbers(self):
        """Refuse what is no ID of a decision."""
        self.json_of(decision.ListDecisions, '--limit', str(10**9 - 1))
        for text in ('0', '-1', 'x', '1.0', str(10**9)):
            err = io.StringIO()
            with contextlib.redirect_stderr(err):
                self.assertRaises(
                    SystemExit, self.run_command, decision.ListDecisions,
                    '--limit', text,
                )
            self.assertIn('is no number from 1 on', err.getvalue())

    def test_ids(self):
        """Take IDs as great as the API's, and refuse others."""
        for cls, words in (
            (decision.ListDecisions, ('--marker', str(2**63 - 1))),
            (decision.ShowDecision, (str(2**63 - 1),)),
        ):
            error = self.assertRaises(
                NovaExtError, self.run_command, cls, *words
            )
            self.assertIn('request req-', str(error))
        for text in ('0', '-1', str(2**63), '1' * 5000):
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertRaises(
                    SystemExit, self.run_command, decision.ListDecisions,
                    '--marker', text,
                )

    def test_empty(self):
        """An empty value, as of an unset variable, does not list them all."""
        for option in ('--server', '--project', '--request'):
            self.assertRaises(
                NovaExtError, self.run_command, decision.ListDecisions,
                option, '',
            )

    def test_many(self):
        """List more than one page."""
        self.ship(*(
            failed(at=at(second), request_id=f'req-{second}-{number}')
            for second in range(4, 60) for number in range(2)
        ))
        told = self.json_of(decision.ListDecisions, '--limit', '110')
        self.assertEqual(110, len({each['ID'] for each in told}))

    def test_refused(self):
        """Refuse in one line, with the ID of the request."""
        self.become('member')
        error = str(self.assertRaises(
            NovaExtError, self.run_command, decision.Explain, OTHER
        ))
        self.assertIn(f'there is no decision about server {OTHER}', error)
        self.assertRegex(error, r'\(HTTP 404, request req-[0-9a-f-]+\)$')


class WhatIfTest(base.CommandTestCase):
    """Run simulate and capacity with the options of server create."""

    CREATE = (
        '--flavor', 'big', '--image', 'cirros', '--nic', 'none',
        '--availability-zone', 'west', '--hint', 'a=1', '--hint', 'b=2',
        '--hint', 'b=3', '--server-group', 'g', '--key-name', 'k',
        '--property', 'x=y', '--max', '3', '--wait', 'web',
    )

    def asked(self):
        """Return the last request to the scheduler."""
        return self.backends.fake.asked

    def test_options(self):
        """Look up names; ignore what does not concern hosts."""
        told = self.run_command(simulation.Simulate, *self.CREATE)
        self.assertIn('chosen from 2 of 3', told)
        request, changes = self.asked()
        self.assertEqual(BootFlavor(
            4, 2048, 20, 5, 0, 'big', '7', {'trait:FAST': 'required'}
        ), request.flavor)
        self.assertEqual({'hw_cpu_policy': 'shared'}, (
            request.image['properties']
        ))
        self.assertEqual('i-1', request.image['id'])
        self.assertEqual(
            ('west', {'a': '1', 'b': ['2', '3'], 'group': 'g-1'}, 3),
            (request.availability_zone, request.hints, request.count),
        )
        self.assertEqual(Changes(), changes)

    def test_changes(self):
        """Send the changes to try."""
        self.run_command(
            simulation.Simulate, '--flavor', 'big', '--image-property',
            'hw_cpu_policy=shared', '--boot-from-volume', '9',
            '--try-filter', 'A', '--try-filter', 'B', '--try-multiplier',
            'RAMWeigher=-1.5', '--try-driver', 'ChanceScheduler',
        )
        request, changes = self.asked()
        self.assertTrue(request.boot_from_volume)
        self.assertEqual('i-1', request.image['id'])
        self.assertEqual(Changes(
            ['A', 'B'], {'RAMWeigher': -1.5}, 'ChanceScheduler'
        ), changes)

    def test_move(self):
        """Send a move in place of a boot; refuse what does not fit."""
        server = '11111111-2222-3333-4444-555555555555'
        words = ('--server', server, '--operation')
        told = self.run_command(
            simulation.Simulate, *words, 'resize', '--flavor', 'big',
            '--try-filter', 'A',
        )
        self.assertIn('chosen from 2 of 3', told)
        self.assertIn('not looked at', told)
        self.assertEqual(
            (MoveRequest(server, 'resize', '7'), Changes(['A'])), self.asked()
        )
        self.run_command(
            simulation.Simulate, *words, 'rebuild', '--image', 'cirros'
        )
        self.assertEqual('i-1', self.asked()[0].image['id'])
        for wrong, line in (
            ((), 'name a flavor with --flavor, or a server with --server'),
            (words[:2], '--server and --operation belong together'),
            (('--operation', 'resize'), 'belong together'),
            ((*words, 'migrate', '--hint', 'a=b'), 'leave out --hint'),
            ((*words, 'migrate', '--max', '2'), 'leave out --max'),
            ((*words, 'migrate', '--host', 'full'), 'refuses migrate: no'),
            (('--server', f'req-{server}', '--operation', 'migrate'),
             'the ID of a request'),
        ):
            error = self.assertRaises(
                NovaExtError, self.run_command, simulation.Simulate, *wrong
            )
            self.assertIn(line, str(error))

    def test_no_such_image(self):
        """Say in one line which properties no image has."""
        error = self.assertRaises(
            NovaExtError, self.run_command, simulation.Simulate, '--flavor',
            'big', '--image-property', 'os=none',
        )
        self.assertIn("{'os': 'none'}", str(error))

    def test_capacity(self):
        """Say how many fit, where, and what runs out."""
        told = self.run_command(simulation.Capacity, '--flavor', 'big')
        first = told.splitlines()[0]
        self.assertEqual(
            '5 to 7 more fit; first runs out VCPU on 1 host', first
        )
        self.assertIn('| aggregate | fast', told)
        self.assertEqual(
            {'least': 5, 'most': 7},
            self.json_of(simulation.Capacity, '--flavor', 'big')['total'],
        )

    def test_no_capacity(self):
        """Explain why none fits, where it is known."""
        for most, explained, expected in (
            (0, placed(), True), (0, None, False), (7, placed(), False),
        ):
            self.patch(
                self.backends.fake, 'capacity', lambda *_, **__: Capacity(
                    ServerRange(0, most), decision=explained,  # noqa: B023
                ),
            )
            notes = self.json_of(
                simulation.Capacity, '--flavor', 'big'
            )['notes']
            self.assertEqual(
                expected, any('chosen from 2 of 3' in note for note in notes)
            )

    def test_sample(self):
        """Note where not all hosts could be tried."""
        said = 'not every host that may come first was tried'
        words = (simulation.Capacity, '--flavor', 'big')
        self.assertNotIn(said, self.run_command(*words))
        self.assertFalse(self.json_of(*words)['sampled'])
        self.patch(
            self.backends.fake, 'capacity',
            lambda *asked, **how: Capacity(ServerRange(5, 7), sampled=True),
        )
        self.assertIn(said, self.run_command(*words))
        whole = self.json_of(*words)
        self.assertTrue(whole['sampled'])
        self.assertIn(said, whole['notes'][0])

    def test_comparing(self):
        """Name what may compare hosts, and no other sample."""
        self.patch(
            self.backends.fake, 'capacity', lambda *asked, **how: Capacity(
                ServerRange(5, 7), sampled=True, comparing=['A', 'B'],
            ),
        )
        (note,) = self.json_of(
            simulation.Capacity, '--flavor', 'big'
        )['notes']
        self.assertIn('a sample: A, B may compare hosts', note)

    def test_unknown(self):
        """Say that no number is known, and why."""
        made = failed(outcome='failed', message='filter A raised KeyError')
        self.patch(
            self.backends.fake, 'capacity', lambda *asked, **how: Capacity(
                ServerRange(0, 0), unknown=True, decision=made,
            ),
        )
        told = self.run_command(simulation.Capacity, '--flavor', 'big')
        self.assertEqual(
            'how many more fit is not known', told.splitlines()[0]
        )
        self.assertIn(', filter A raised KeyError', told)
        self.assertNotIn('0 more fit', told)

    def test_instead_of(self):
        """Compare with a recorded decision."""
        def answer(context, request, *, changes):
            made = placed()
            made.request = {'flavor': {'memory_mb': request.flavor.memory_mb}}
            return made

        self.patch(self.backends.fake, 'simulate', answer)
        self.ship(
            failed(request={'flavor': {'memory_mb': 8192}}, at=at(1)),
            failed(request={'flavor': {'memory_mb': 4096}}, at=at(2)),
        )
        for named in (samples.SERVER, samples.REQUEST):
            words = ('--flavor', 'big', '--instead-of', named)
            compared = 'with memory_mb 2048 instead of 4096, 2 of 3 hosts pass'
            self.assertIn(
                compared, self.run_command(simulation.Simulate, *words)
            )
            self.assertEqual(
                compared, self.json_of(simulation.Simulate, *words)['notes'][0]
            )
        error = self.assertRaises(
            NovaExtError, self.run_command, simulation.Simulate, '--flavor',
            'big', '--instead-of', OTHER,
        )
        self.assertIn(f'there is no decision about server {OTHER}', str(error))

    def test_output(self):
        """Take the columns and formats of server create."""
        create = ('--flavor', 'big', '--image', 'cirros')
        for cls, word in (
            (simulation.Simulate, 'ComputeFilter'),
            (simulation.Capacity, 'fast'),
        ):
            every = self.run_command(cls, *create, '-f', 'value')
            self.assertIn(word, every)
            self.assertEqual(every, self.run_command(
                cls, *create, '-f', 'value', '-c', 'id', '--prefix', 'a_'
            ))
            self.assertEqual(
                self.json_of(cls, *create),
                self.json_of(cls, *create, '-c', 'id', '-c', 'addresses'),
            )
            whole = self.json_of(cls, *create)
            told = self.run_command(
                cls, *create, '-f', 'shell', '--prefix', 'a_'
            )
            self.assertIn(f'a_sentence="{whole["sentence"]}"\n', told)
            self.assertEqual(len(whole), told.count('\na_') + 1)

    def test_ports(self):
        """Note that ports were not looked up."""
        said = 'ports and networks were not looked up'
        for cls in (simulation.Simulate, simulation.Capacity):
            create = ('--flavor', 'big', '--port', 'p')
            self.assertIn(said, self.run_command(cls, *create))
            (note, *_) = self.json_of(cls, *create)['notes']
            self.assertIn(said, note)
            self.assertNotIn(said, self.run_command(
                cls, '--flavor', 'big', '--nic', 'none'
            ))

    def test_no_extra_specs(self):
        """Note that extra specs could not be read."""
        self.manager.sdk_connection = base.Reticent()
        for cls in (simulation.Simulate, simulation.Capacity):
            told = self.run_command(cls, '--flavor', 'big')
            self.assertIn('specs of flavor big could not be read', told)
            (note, *_) = self.json_of(cls, '--flavor', 'big')['notes']
            self.assertIn('specs of flavor big could not be read', note)

    def test_unreachable(self):
        """Say in one line that the bus is away, but not where it is."""
        self.backends.fake.error = UnreachableError('amqp://u:secret@h')
        error = str(self.assertRaises(
            NovaExtError, self.run_command, simulation.Capacity, '--flavor',
            'big',
        ))
        self.assertIn('the message bus of the schedulers', error)
        self.assertNotIn('secret', error)


class InForceTest(base.CommandTestCase):
    """List the plugins."""

    def test_lists(self):
        """List each with its own columns."""
        for cls, columns, first in (
            (plugins.ListFilters, ['Name', 'Hints', 'Source'],
             'ComputeFilter'),
            (plugins.ListWeighers,
             ['Name', 'Multiplier', 'Hints', 'Source'], 'RAMWeigher'),
            (plugins.ListCosts, ['Name', 'Weight', 'Hints', 'Source'],
             'OwnerServersCost'),
            (plugins.ListDrivers, ['Topic', 'Name', 'Hints', 'Source'],
             'FilterScheduler'),
            (plugins.ListHints, ['Name', 'Read By'], 'nova_ext_owner'),
        ):
            told = self.json_of(cls)
            self.assertEqual(columns, list(told[0]))
            self.assertEqual(first, told[0]['Name'])
        self.assertEqual([
            ['OwnerServersCost'],
            ['SpecifiedHostFilter', 'SpecifiedHostWeigher'],
        ], [each['Read By'] for each in told])
        self.assertIn(
            'SpecifiedHostFilter, SpecifiedHostWeigher',
            self.run_command(plugins.ListHints),
        )

    def test_plugin_mode(self):
        """Say of what decision the filters are."""
        made = placed()
        made.by['mode'] = 'plugin'
        self.ship(made)
        self.backends.fake.error = NoSchedulerError('none')
        error = io.StringIO()
        with contextlib.redirect_stderr(error):
            listed = self.json_of(plugins.ListFilters)
        self.assertEqual(
            [{'Name': 'ComputeFilter', 'Hints': None, 'Source': ''}], listed
        )
        self.assertEqual(
            f'no nova-ext-scheduler answers: these ran in a decision of '
            f'{made.at} on ctl; their hints and classes are not recorded\n',
            error.getvalue(),
        )

    def test_undeclared(self):
        """Name what declares no hints."""
        self.assertRegex(
            self.run_command(plugins.ListFilters),
            r'SpecifiedHostFilter \| requested_host .*\n.* \| unknown ',
        )
        listed = self.json_of(plugins.ListFilters)
        self.assertEqual(
            [[], ['requested_host'], None],
            [one['Hints'] for one in listed],
        )
        error = io.StringIO()
        with contextlib.redirect_stderr(error):
            self.json_of(plugins.ListHints)
        self.assertEqual(
            'RackFilter may read any hint: it declares none\n',
            error.getvalue(),
        )


class PluginTest(base.CommandTestCase):
    """Load the plugin as OpenStackClient does."""

    def test_client(self):
        """Send the version that the user chose."""
        self.manager.region_name = self.manager.interface = None
        self.manager._api_version = {plugin.API_NAME: '1.0'}
        made = plugin.make_client(self.manager)
        self.assertIsInstance(made, Client)
        self.ship(placed())
        self.assertEqual(1, made.get('/v1/decisions/1')['decision']['id'])
        for given, sent in (
            ('1', 'scheduler 1.0'), ('1.0', 'scheduler 1.0'),
            ('latest', 'scheduler latest'),
        ):
            self.manager._api_version = {plugin.API_NAME: given}
            plugin.make_client(self.manager).get('/v1/hints')
            self.assertEqual(
                sent, self.http.last_request.headers[microversion.HEADER]
            )
        self.manager._api_version = {plugin.API_NAME: '1.9'}
        error = self.assertRaises(
            NovaExtError, plugin.make_client(self.manager).get, '/v1/hints'
        )
        self.assertIn(': 1.9; versions are 1.0 to 1.0', str(error))


class FailureTest(base.CommandTestCase):
    """Say in one line why there is no answer."""

    def refused(self):
        """Return the line."""
        line = str(self.assertRaises(
            NovaExtError, self.manager.scheduler.get, '/v1/hints'
        ))
        self.assertNotIn('\n', line)
        return line

    def test_no_service(self):
        """Say that the catalog does not name the service."""
        self.user.endpoint = None
        self.assertIn('not installed in this cloud', self.refused())

    def test_proxy(self):
        """Describe a proxy's page of HTML."""
        self.http.get(
            f'{base.API}/v1/hints', status_code=502,
            text='<html>\n', headers={'Content-Type': 'text/html'},
        )
        self.assertEqual(
            'nova-ext-api can\'t be asked: Bad Gateway (HTTP 502)',
            self.refused(),
        )

    def test_away(self):
        """Say that nobody listens."""
        self.http.get(
            f'{base.API}/v1/hints', exc=requests.ConnectionError('refused')
        )
        line = self.refused()
        self.assertIn('nova-ext-api can\'t be asked', line)
        self.assertIn(base.API, line)
