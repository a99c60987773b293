"""openstack scheduler …, without a shell around it."""

import contextlib
import io
from pathlib import Path

import fixtures
import requests

from nova_ext.api.http import microversion
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.scheduling_errors import UnreachableError
from nova_ext.core.rpc.boot_request import BootFlavor, Changes
from nova_ext.core.rpc.capacity import Capacity, Room
from nova_ext.decision_database.models import Shipped
from nova_ext.osc import decision, extensions, plugin, simulation
from nova_ext.osc.client import Client
from tests.unit.api.base import THEIRS, at, failed, placed
from tests.unit.osc import base
from tests.unit.record import samples

OTHER = '22222222-2222-3333-4444-555555555555'
SENTENCE = '0/3 hosts: 3 disabled (ComputeFilter)'


class DecisionTest(base.CommandTestCase):
    """explain, decision list and decision show."""

    def setUp(self):
        """With two decisions about a server and one about another."""
        super().setUp()
        self.ship(
            failed(at=at(1)), failed(at=at(2)),
            failed(at=at(3), server=OTHER, project_id=THEIRS),
        )

    def test_explain(self):
        """The sentence, the table and the notes; the rest in JSON."""
        told = self.run_command(
            decision.Explain, samples.SERVER, '--record-only'
        )
        first, *_, last = told.splitlines()
        self.assertEqual(SENTENCE, first)
        self.assertIn('ComputeFilter | rejected', told)
        self.assertEqual('1 older: --all lists them', last)
        whole = self.json_of(decision.Explain, samples.SERVER)
        self.assertEqual(SENTENCE, whole['sentence'])
        self.assertIn('the cloud does not tell', whole['after'][0])

    def test_all(self):
        """A line each, the newest first."""
        told = self.json_of(decision.Explain, samples.SERVER, '--all')
        self.assertEqual([at(2), at(1)], [each['At'] for each in told])

    def test_all_of_many(self):
        """What is not listed, or was not recorded, is told below."""
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
        """How many older ones a request has; and what was dropped."""
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
        """By the id of a request; one that nobody made is told so."""
        told = self.json_of(decision.Explain, samples.REQUEST)
        self.assertEqual([OTHER], told['decision']['servers'])
        self.assertRaises(
            NovaExtError, self.run_command, decision.Explain,
            samples.REQUEST.replace('9', '8'),
        )

    def test_page(self):
        """A file for a browser."""
        file = Path(self.useFixture(fixtures.TempDir()).path, 'why.html')
        self.run_command(
            decision.Explain, samples.SERVER, '--html', str(file)
        )
        self.assertIn('compute-00001', file.read_text())
        self.run_command(decision.ShowDecision, '3', '--html', str(file))
        self.assertIn(OTHER, file.read_text())

    def test_list(self):
        """As far as the limit goes, over pages."""
        for words, ids in (
            ((), [3, 2, 1]), (('--limit', '2'), [3, 2]),
            (('--marker', '3', '--limit', '1'), [2]),
            (('--server', OTHER), [3]), (('--project', THEIRS), [3]),
            (('--outcome', 'placed'), []), (('--request', 'x'), []),
        ):
            told = self.json_of(decision.ListDecisions, *words)
            self.assertEqual(ids, [each['ID'] for each in told], words)

    def test_many(self):
        """More than one page holds."""
        self.ship(*(
            failed(at=at(second), request_id=f'req-{second}-{number}')
            for second in range(4, 60) for number in range(2)
        ))
        told = self.json_of(decision.ListDecisions, '--limit', '110')
        self.assertEqual(110, len({each['ID'] for each in told}))

    def test_refused(self):
        """One line, with what the log of the API knows it by."""
        self.become('member')
        error = str(self.assertRaises(
            NovaExtError, self.run_command, decision.Explain, OTHER
        ))
        self.assertIn(f'there is no decision about server {OTHER}', error)
        self.assertRegex(error, r'\(HTTP 404, request req-[0-9a-f-]+\)$')


class WhatIfTest(base.CommandTestCase):
    """simulate and capacity take what server create takes."""

    CREATE = (
        '--flavor', 'big', '--image', 'cirros', '--nic', 'none',
        '--availability-zone', 'west', '--hint', 'a=1', '--hint', 'b=2',
        '--hint', 'b=3', '--server-group', 'g', '--key-name', 'k',
        '--property', 'x=y', '--max', '3', '--wait', 'web',
    )

    def asked(self):
        """The last request of the scheduler."""
        return self.backends.fake.asked

    def test_options(self):
        """Names are looked up; what does not concern hosts is passed over."""
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
        """What is to be tried."""
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

    def test_no_such_image(self):
        """One line says what no image has."""
        error = self.assertRaises(
            NovaExtError, self.run_command, simulation.Simulate, '--flavor',
            'big', '--image-property', 'os=none',
        )
        self.assertIn("{'os': 'none'}", str(error))

    def test_capacity(self):
        """How many, where, and what runs out."""
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

    def test_sample(self):
        """Where more hosts could be the first, a note says so."""
        said = 'of the hosts that chance may take first not all were tried'
        words = (simulation.Capacity, '--flavor', 'big')
        self.assertNotIn(said, self.run_command(*words))
        self.assertFalse(self.json_of(*words)['sampled'])
        self.patch(
            self.backends.fake, 'capacity',
            lambda *asked, **how: Capacity(Room(5, 7), sampled=True),
        )
        self.assertIn(said, self.run_command(*words))
        whole = self.json_of(*words)
        self.assertTrue(whole['sampled'])
        self.assertIn(said, whole['notes'][0])

    def test_instead_of(self):
        """Beside a recorded decision about a server or a request."""
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
        """Columns and formats of server create, which shows one server."""
        create = ('--flavor', 'big', '--image', 'cirros')
        for cls, word in (
            (simulation.Simulate, 'ComputeFilter'), (simulation.Capacity, 'fast'),
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
        """The answer says that it does without what they ask for."""
        said = 'ports and networks were not looked at'
        for cls in (simulation.Simulate, simulation.Capacity):
            create = ('--flavor', 'big', '--port', 'p')
            self.assertIn(said, self.run_command(cls, *create))
            (note, *_) = self.json_of(cls, *create)['notes']
            self.assertIn(said, note)
            self.assertNotIn(said, self.run_command(
                cls, '--flavor', 'big', '--nic', 'none'
            ))

    def test_no_extra_specs(self):
        """The answer says what it was made without."""
        self.manager.sdk_connection = base.Reticent()
        for cls in (simulation.Simulate, simulation.Capacity):
            told = self.run_command(cls, '--flavor', 'big')
            self.assertIn('specs of flavor big could not be read', told)
            (note, *_) = self.json_of(cls, '--flavor', 'big')['notes']
            self.assertIn('specs of flavor big could not be read', note)

    def test_unreachable(self):
        """One line, without a trace of where the bus is."""
        self.backends.fake.error = UnreachableError('amqp://u:secret@h')
        error = str(self.assertRaises(
            NovaExtError, self.run_command, simulation.Capacity, '--flavor',
            'big',
        ))
        self.assertIn('the message bus of the schedulers', error)
        self.assertNotIn('secret', error)


class InForceTest(base.CommandTestCase):
    """Lists of what decides."""

    def test_lists(self):
        """Each with its own columns."""
        for cls, columns, first in (
            (extensions.ListFilters, ['Name', 'Hints', 'Source'],
             'ComputeFilter'),
            (extensions.ListWeighers, ['Name', 'Multiplier', 'Hints', 'Source'],
             'RAMWeigher'),
            (extensions.ListDrivers, ['Topic', 'Name', 'Hints', 'Source'],
             'FilterScheduler'),
            (extensions.ListHints, ['Name', 'Read By'], 'requested_host'),
        ):
            told = self.json_of(cls)
            self.assertEqual(columns, list(told[0]))
            self.assertEqual(first, told[0]['Name'])
        self.assertEqual(
            ['SpecifiedHostFilter', 'SpecifiedHostWeigher'],
            told[0]['Read By'],
        )
        self.assertIn(
            'SpecifiedHostFilter, SpecifiedHostWeigher',
            self.run_command(extensions.ListHints),
        )

    def test_undeclared(self):
        """It is said of what declares no hints."""
        listed = self.json_of(extensions.ListFilters)
        self.assertEqual(
            [[], ['requested_host'], None],
            [one['Hints'] for one in listed],
        )
        error = io.StringIO()
        with contextlib.redirect_stderr(error):
            self.json_of(extensions.ListHints)
        self.assertEqual(
            'RackFilter may read any hint: it declares none\n',
            error.getvalue(),
        )


class PluginTest(base.CommandTestCase):
    """What OpenStackClient finds."""

    def test_client(self):
        """It asks for the version that was asked for."""
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
    """One line says why there is no answer."""

    def refused(self):
        """The line."""
        line = str(self.assertRaises(
            NovaExtError, self.manager.scheduler.get, '/v1/hints'
        ))
        self.assertNotIn('\n', line)
        return line

    def test_no_service(self):
        """The catalog does not name it."""
        self.user.endpoint = None
        self.assertIn('not installed in this cloud', self.refused())

    def test_proxy(self):
        """A page of what stands before the API."""
        self.http.get(
            f'{base.API}/v1/hints', status_code=502,
            text='<html>\n', headers={'Content-Type': 'text/html'},
        )
        self.assertEqual(
            'nova-ext-api can\'t be asked: Bad Gateway (HTTP 502)',
            self.refused(),
        )

    def test_away(self):
        """Nobody listens."""
        self.http.get(
            f'{base.API}/v1/hints', exc=requests.ConnectionError('refused')
        )
        line = self.refused()
        self.assertIn('nova-ext-api can\'t be asked', line)
        self.assertIn(base.API, line)
