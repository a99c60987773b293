"""Request simulations and capacities over HTTP."""

import concurrent.futures
import threading
from pathlib import Path

from oslo_config import cfg
from werkzeug.test import Client

from nova_ext.api import service
from nova_ext.api.handlers import simulations
from nova_ext.core.base import scheduling_errors as s
from nova_ext.core.rpc.boot_request import BootFlavor, Changes
from nova_ext.core.rpc.capacity import Capacity, ServerRange
from nova_ext.core.rpc.move_request import MoveRequest
from nova_ext.policy import enforcer
from tests.unit.api.base import OURS, THEIRS, ApiTestCase, placed

REQUEST = {'flavor': {'vcpus': 1, 'memory_mb': 512}}
HOST = 'compute-00002.example.org'
#: As openstack scheduler simulate sends it.
NAMED = {'vcpus': 1, 'memory_mb': 512, 'flavorid': '1'}


def body(changes=None, **fields):
    """Return a body."""
    made = {'request': {**REQUEST, **fields}}
    return {**made, 'changes': changes} if changes else made


class MoveTest(ApiTestCase):
    """Send a move to POST /v1/simulations."""

    MOVE = {  # noqa: RUF012
        'server': '11111111-2222-3333-4444-555555555555',
        'operation': 'migrate',
    }

    def simulate(self, who='admin', status=200, changes=None, **fields):
        """Send a request."""
        body = {'move': {**self.MOVE, **fields}}
        if changes:
            body['changes'] = changes
        return self.post('/v1/simulations', body, who, status)

    def test_asked(self):
        """Pass it on to the scheduler; the answer has its notes."""
        answer = self.simulate(host='cmp-2', changes={'filters': ['F']})
        self.assertIn(HOST, answer['simulation']['sentence'])
        self.assertIn('not looked at', answer['simulation']['notes'])
        self.assertEqual(
            (MoveRequest(**self.MOVE, host='cmp-2'), Changes(['F'])),
            self.backends.fake.asked,
        )

    def test_refused(self):
        """Answer 409 where Nova would ask no scheduler."""
        line = self.refusal(
            '/v1/simulations', status=409, method='POST',
            json={'move': {**self.MOVE, 'host': 'full'}},
        )
        self.assertEqual('nova-api refuses migrate: no', line)

    def test_wrong(self):
        """Refuse both at once, neither, and what does not fit."""
        self.post('/v1/simulations', {}, status=400)
        self.post(
            '/v1/simulations', {**body(), 'move': self.MOVE}, status=400
        )
        for fields in (
            {'server': 'web'}, {'operation': 'fly'}, {'flavor': '2'},
            {'operation': 'resize'}, {'operation': 'rebuild'},
            {'operation': 'rebuild', 'image': {'id': 'i'}, 'host': 'h'},
        ):
            self.simulate(status=400, **fields)

    def test_personas(self):
        """It tells of any project's server, and of hosts: to operators."""
        for who in ('reader', 'member', 'nobody', 'manager'):
            self.simulate(who, 403)
        self.simulate('auditor')


class SimulateTest(ApiTestCase):
    """Send POST /v1/simulations."""

    def simulate(self, who='admin', status=200, **fields):
        """Send a request."""
        return self.post('/v1/simulations', body(**fields), who, status)

    def test_asked(self):
        """Pass the request on to the scheduler, in the caller's name."""
        self.simulate(
            hints={'same_host': ['x']}, count=2, changes={'filters': ['F']}
        )
        request, changes = self.backends.fake.asked
        self.assertEqual(BootFlavor(1, 512), request.flavor)
        self.assertEqual((OURS, 'admin-id', 2, {'same_host': ['x']}), (
            request.project_id, request.user_id, request.count, request.hints
        ))
        self.assertEqual(Changes(['F']), changes)

    def test_integers(self):
        """Take 1.0 for 1, as JSON's schemas do; not 1.5."""
        self.simulate(flavor={'vcpus': 1.0, 'memory_mb': 512.0}, count=2.0)
        request, _ = self.backends.fake.asked
        self.assertEqual((BootFlavor(1, 512), 2), (
            request.flavor, request.count
        ))
        self.simulate(flavor={'vcpus': 1.5, 'memory_mb': 512}, status=400)

    def test_properties(self):
        """Take long properties of images, with lines; not such names."""
        for name, value, status in (
            ('img_signature', f'{"a" * 172}\n{"b" * 172}', 200),
            ('notes', 'x' * 65535, 200), ('notes', 'x' * 65536, 400),
            ('n' * 256, 'x', 400), ('a\nb', 'x', 400),
        ):
            self.simulate(image={'properties': {name: value}}, status=status)

    def test_names(self):
        """Show operators the hosts, managers counts and reasons."""
        decision = self.simulate()['simulation']
        self.assertIn(HOST, decision['sentence'])
        decision = self.simulate('manager', flavor=NAMED)['simulation']
        self.assertNotIn('compute-0', str(decision))
        self.assertIn('host 1 chosen from 2 of 3', decision['sentence'])

    def test_personas(self):
        """Let managers simulate for their project, without changes."""
        for who in ('reader', 'member', 'nobody'):
            self.simulate(who, 403)
        self.simulate('auditor')
        for fields in (
            {'changes': {'driver': 'ChanceScheduler'}}, {'host': 'cmp-1'},
            {'availability_zone': 'nova:cmp-1'}, {'ignore_hosts': ['cmp-1']},
            {'project_id': THEIRS}, {'user_id': 'somebody'},
        ):
            fields['flavor'] = NAMED
            self.simulate('manager', 403, **fields)
            self.simulate('admin', **fields)
        self.simulate('manager', project_id=OURS, availability_zone='nova',
                      flavor=NAMED)

    def test_flavors(self):
        """Let no one but operators simulate flavors of their own."""
        self.simulate('manager', 403)
        made_up = {**NAMED, 'extra_specs': {'capabilities:host': 's>= m'}}
        for who, stored in (('manager', True), ('admin', False)):
            self.simulate(who, flavor=made_up)
            request, _ = self.backends.fake.asked
            self.assertEqual(stored, request.stored_flavor)

    def test_texts(self):
        """Refuse half a surrogate pair, and a line feed behind a name."""
        for text in ('\ud800', 'm1\n'):
            self.simulate(status=400, flavor={**NAMED, 'flavorid': text})
        for name in ('project_id', 'user_id', 'host', 'availability_zone'):
            self.simulate(status=400, **{name: 'a\n'})
        self.ask(f'/v1/decisions?project={OURS}%0A', status=400)
        self.ask(
            '/v1/servers/11111111-2222-3333-4444-555555555555%0A/explanation',
            status=404,
        )

    def test_too_many(self):
        """Refuse numbers that Nova would make sets of."""
        for fields in (
            {'flavor': {'vcpus': 100_000, 'memory_mb': 1}},
            {'flavor': {'vcpus': 1, 'memory_mb': 2**31}},
            {'flavor': {**NAMED, 'extra_specs': {
                'hw:cpu_dedicated_mask': '0-2000000000'}}},
            {'flavor': {**NAMED, 'extra_specs': {
                f'a{n}': '' for n in range(129)}}},
            {'image': {'properties': {'hw_numa_cpus.0': '0-2000000000'}}},
            {'image': {'properties': {f'a{n}': '' for n in range(129)}}},
        ):
            self.simulate(status=400, **fields)
        self.simulate(flavor={**NAMED, 'extra_specs': {
            'hw:cpu_dedicated_mask': '0-127', 'quota:cpu_period': '100000',
        }})

    def test_busy(self):
        """Answer two of a project at once; no project keeps others out."""
        count, end = simulations.SHARE.of_one, threading.Event()
        begun = threading.Barrier(count + 1)
        self.addCleanup(end.set)

        def simulate(*words, **more):
            begun.wait(30)
            end.wait(30)
            return placed()

        self.patch(self.backends.fake, 'simulate', simulate)
        client = Client(service.build(cfg.CONF, self.backends))
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            asked = [
                pool.submit(
                    client.post, '/v1/simulations', json=body(flavor=NAMED),
                    headers={'X-Auth-Token': 'manager'},
                ) for _ in range(count)
            ]
            begun.wait(30)
            told = self.refusal(
                '/v1/simulations', status=503, method='POST', json=body()
            )
            self.assertIn('try again', told)
            self.patch(
                self.backends.fake, 'simulate', lambda *a, **b: placed()
            )
            self.simulate('auditor')
            self.patch(simulations.SHARE, 'at_once', count)
            self.simulate('auditor', 503)
            end.set()
            self.assertEqual(
                [200] * count,
                [one.result().status_code for one in asked],
            )
        self.patch(self.backends.fake, 'simulate', lambda *a, **b: placed())
        self.simulate()

    def test_refused(self):
        """Refuse bodies that do not fit, and repeat no secret."""
        for wrong in (
            {}, [], {'request': {}}, body(x=1), body(count=0),
            body(flavor={'vcpus': 1}), body(hints={'a': [1]}),
            body(changes={'x': 1}), body(availability_zone='a:b:c:d'),
            body(flavor={'vcpus': 10**30, 'memory_mb': 1}),
        ):
            told = self.refusal(
                '/v1/simulations', method='POST', json=wrong
            )
            self.assertLess(len(told), 400)
        for wrong, line in (
            ([], 'the body: [] is not of type'),
            (body(flavor={'vcpus': 1}), 'the body, request.flavor: '),
        ):
            told = self.refusal('/v1/simulations', method='POST', json=wrong)
            self.assertTrue(told.startswith(line), told)
        for data in (b'{', b'\xff', b'[' * 100_000):
            self.refusal(
                '/v1/simulations', method='POST', data=data,
                content_type='application/json',
            )
        self.refusal('/v1/simulations', status=415, method='POST', data=b'{}')
        self.refusal(
            '/v1/simulations', status=413, method='POST',
            data=b' ' * (5 * 2**20), content_type='application/json',
        )

    def test_scheduler_fails(self):
        """Answer each failure with a status, and no internal text."""
        for error, status in (
            (s.WrongArgumentsError('no filter F'), 400),
            (s.BusyError('try again'), 503),
            (s.RequestTimeoutError('no answer'), 504),
            (s.UnreachableError('amqp://user:secret@host'), 503),
            (s.TooOldError('simulate: secret'), 503),
            (s.NoSchedulerError('no answer'), 503),
            (s.SchedulingError('simulate: KeyError: secret'), 502),
            (RuntimeError('secret'), 500),
        ):
            self.backends.fake.error = error
            told = self.refusal(
                '/v1/simulations', status=status, method='POST', json=body()
            )
            self.assertNotIn('secret', told)

    def test_silence(self):
        """Never take a scheduler that does not answer for plugin mode."""
        self.backends.fake.error = s.RequestTimeoutError('busy or hanging')
        for path in (
            '/v1/simulations', '/v1/capacities', '/v1/filters',
            '/v1/weighers', '/v1/drivers', '/v1/costs', '/v1/hints',
            '/v1/mirrors', '/v1/zones/info',
        ):
            asked = {'method': 'POST', 'json': body()} if path.endswith(
                ('simulations', 'capacities')
            ) else {}
            self.assertEqual(
                'busy or hanging', self.refusal(path, status=504, **asked)
            )

    def test_plugin_mode(self):
        """Say that no nova-ext-scheduler runs, and what to do instead."""
        self.backends.fake.error = s.NoSchedulerError('no scheduler')
        for path, instead in (
            ('/v1/simulations', '"nova-ext simulate"'),
            ('/v1/capacities', '"nova-ext simulate"'),
            ('/v1/filters', '"nova-ext-scheduler --check"'),
            ('/v1/weighers', '"nova-ext-scheduler --check"'),
            ('/v1/hints', '"nova-ext explain"'),
        ):
            asked = {'method': 'POST', 'json': body()} if path.endswith(
                ('simulations', 'capacities')
            ) else {}
            told = self.refusal(path, status=503, **asked)
            self.assertIn('no scheduler: in plugin mode none runs', told)
            self.assertIn(instead, told)


class CapacityTest(ApiTestCase):
    """Send POST /v1/capacities."""

    def test_told(self):
        """Say how many fit, and explain the decision on the first one."""
        answer = self.post('/v1/capacities', body())['capacity']
        self.assertEqual({'least': 5, 'most': 7}, answer['total'])
        self.assertEqual({'VCPU': 1}, answer['full'])
        self.assertIn(HOST, answer['decision']['sentence'])

    def test_empty(self):
        """Pass on what is counted, and what is looked up."""
        for diagnose in (True, False):
            answer = self.post('/v1/capacities', {
                **body(), 'is_empty': True, 'diagnose': diagnose,
            })['capacity']
            self.assertEqual(
                (9, diagnose), (answer['total']['most'], answer['bounded'])
            )

    def test_order(self):
        """What runs out on most hosts stays the first."""
        self.patch(
            self.backends.fake, 'capacity', lambda *_, **__: Capacity(
                ServerRange(0, 0), full={'VCPU': 9, 'DISK_GB': 1},
            ),
        )
        answer = self.post('/v1/capacities', body())['capacity']
        self.assertEqual(['VCPU', 'DISK_GB'], list(answer['full']))

    def test_personas(self):
        """Answer operators only: it tells how full the cloud is."""
        for who in ('reader', 'member', 'manager'):
            self.post('/v1/capacities', body(), who, 403)
        self.post('/v1/capacities', body(), 'auditor')

    def test_names(self):
        """Show who may not see hosts no name of one."""
        Path(self.conf.conf.nova_ext.policy_file).write_text(
            '"nova_ext:capacity:create": "role:manager"\n'
        )
        enforcer.validate()
        for decision in (placed(), None):
            self.patch(
                self.backends.fake, 'capacity', lambda *_, **__: Capacity(
                    ServerRange(5, 7), aggregates={'a': ServerRange(5, 7)},
                    hosts={HOST: ServerRange(5, 7)}, decision=decision,  # noqa: B023
                ),
            )
            answer = self.post(
                '/v1/capacities', body(flavor=NAMED), 'manager'
            )['capacity']
            self.assertEqual({'least': 5, 'most': 7}, answer['total'])
            self.assertEqual(({}, {}), (answer['hosts'], answer['aggregates']))
            self.assertEqual(decision is None, answer['decision'] is None)
            self.assertNotIn('compute-0', str(answer))

    def test_one_at_a_time(self):
        """Refuse a request for several servers."""
        self.post('/v1/capacities', body(count=2), status=400)
