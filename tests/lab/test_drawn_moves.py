"""Move drawn servers for real, right after each move was simulated.

Every class draws a lab of its own: ``NOVA_EXT_MOVES_SEED`` makes it again.
What the scheduler decided is compared, by its record, and not what a compute
makes of it. Counts are printed. ``NOVA_EXT_MOVES_EVACUATED`` and
``NOVA_EXT_MOVES_DRAINED`` say how many servers are moved after a rehearsal.
"""

import os
import sys
from collections import Counter

from testtools import testcase

from nova_ext.core.rpc.move_request import Move
from nova_ext.core.rpc.rehearsal import MoveOutcome, Order
from nova_ext.lab.services import servers
from tests.lab import drawn_cloud

#: Moves of each operation.
EACH = 10
#: Servers that are moved after a rehearsal.
EVACUATED = int(os.environ.get('NOVA_EXT_MOVES_EVACUATED') or 60)
DRAINED = int(os.environ.get('NOVA_EXT_MOVES_DRAINED') or 20)
#: Hosts that are lost at one time: to bring them back takes long.
_MAX_DOWN = 4
_REFUSED = 'refused'


class MovesTest(drawn_cloud.DrawnCloudTestCase):
    """Sixty moves, of every kind."""

    @testcase.attr('slow')
    def test_moves(self):
        """Each decision is that of the simulation just before."""
        self.fill(7)
        self.counts = Counter()
        operations = [
            operation for operation in Move
            if operation != Move.EVACUATE for _ in range(EACH)
        ]
        self.chance.shuffle(operations)
        for operation in operations:
            self.move(operation)
        down = self.chance.sample(self.hosts, 3)
        self.change_services({'forced_down': True}, *down)
        for _ in range(EACH):
            self.move(Move.EVACUATE, down)
        print(dict(self.counts), file=sys.stderr)

    def move(self, operation, down=()):
        """Simulate and do one move.

        :param down: hosts that are lost; servers of these are evacuated.
        """
        self.settle(down)
        server = self.draw_server(operation, down)
        wanted, action = self.draw_request(operation)
        said = self.simulate(server, operation, wanted)
        request = self.act(server, *action)
        real = self.find_decision(request, server) if request else None
        outcome = real.outcome if real else _REFUSED
        words = f'{operation} {wanted} of {server}: {said}'
        self.assertEqual(said[0], outcome, words)
        kind = outcome
        if real is not None:
            kind += self.compare(said[1], real, server, words)
        self.counts[f'{operation}: {kind}'] += 1
        print(self.counts.total(), operation, kind, file=sys.stderr)
        self.finish(operation, server)

    def draw_server(self, operation, down):
        """Return a server that may move; for some, Nova refuses it."""
        drawn = self.chance.choice([
            server.id for server in self.list_servers()
            if server.host and (not down or server.host in down)
        ])
        if operation == Move.UNSHELVE:
            self.act(drawn, {'shelve': None})
            self.settle()
        return drawn

    def draw_request(self, operation):
        """Return the fields of a simulation, and the same for Nova."""
        draw = self.chance.choice
        host = draw(self.hosts) if draw((True, False, False)) else None
        wanted = {'host': host} if host else {}
        named = dict(wanted)
        if operation == Move.MIGRATE:
            return wanted, ({'migrate': wanted or None},)
        if operation == Move.LIVE_MIGRATE:
            return wanted, ({'os-migrateLive': {
                'host': host, 'block_migration': 'auto',
            }},)
        if operation == Move.EVACUATE:
            return wanted, ({'evacuate': named}, drawn_cloud.ACTIVE_AFTER)
        if operation == Move.UNSHELVE:
            return wanted, ({'unshelve': wanted or None},)
        if operation == Move.RESIZE:
            flavor = draw(list(drawn_cloud.FLAVORS))
            return {'flavor': flavor}, ({'resize': {'flavorRef': flavor}},)
        image = servers.find_image(
            self.cloud(), draw(('cirros', 'cirros-alt', drawn_cloud.FOREIGN))
        )
        return {'image': {
            'id': image['id'], 'min_ram': image['min_ram'],
            'min_disk': image['min_disk'],
            'disk_format': image['disk_format'],
            'properties': {
                name: value for name, value in image.items()
                if name.startswith('hw_')
            },
        }}, ({'rebuild': {'imageRef': image['id']}},)

    def simulate(self, server, operation, wanted):
        """Return the outcome that is foretold, and more about it."""
        answer = self.scheduler.post('/v1/simulations', raise_exc=False, json={
            'move': {'server': server, 'operation': operation, **wanted},
        })
        if answer.status_code != 200:
            return _REFUSED, answer.json()
        decision = answer.json()['simulation']['decision']
        return decision['outcome'], decision

    def compare(self, said, real, server, words):
        """Check that both decisions are the same.

        :returns: whether chance chose.
        """
        self.assertEqual(said['operation'], real.operation, words)
        for one, other in zip(said['attempts'], real.attempts, strict=True):
            self.assertEqual(
                {step['name']: sorted(
                    host for each in step['rejections']
                    for host in each['hosts']
                ) for step in one['steps'] if step['rejections']},
                {step.name: sorted(
                    host for each in step.rejections for host in each.hosts
                ) for step in other.steps if step.rejections}, words,
            )
            self.assertEqual(
                sorted(one['ranked'][:one['equal']]),
                sorted(other.ranked[:other.equal]), words,
            )
        ours, theirs = (
            chosen.get(server, [''])[0]
            for chosen in (said['chosen'], real.chosen)
        )
        if ours == theirs:
            return ''
        self.assertIn(ours, real.attempts[-1].ranked[:real.attempts[-1].equal])
        return ', of equal weight'

    def finish(self, operation, server):
        """Bring a server into a state in which it may move again."""
        state = self.find_server(server).state
        if state == 'resized':
            self.act(server, {'confirmResize': None})
        if state == 'error' and operation != Move.EVACUATE:
            self.heal(server)
        if state == 'shelved_offloaded':
            self.nova.delete(f'/servers/{server}')


class RehearsalsTestCase(drawn_cloud.DrawnCloudTestCase):
    """Do what was rehearsed."""

    def rehearse(self, hosts, *, is_loss):
        """Return all moves of a rehearsal."""
        order = self.chance.choice(list(Order))
        moves, remaining = [], 1
        while remaining:
            rehearsal = self.scheduler.post('/v1/rehearsals', json={
                'rehearsal': {
                    'hosts': hosts, 'is_loss': is_loss, 'order': order,
                    'moved': moves,
                },
            }).json()['rehearsal']
            moves += rehearsal['moves']
            remaining = rehearsal['remaining']
        return moves

    def follow(self, hosts, change, down=(), *, is_loss):
        """Rehearse and do; rehearse again where chance chose otherwise.

        :param change: of the hosts' services, after the first rehearsal.
        :param down: hosts that were lost before.
        """
        done = set()
        moves = self.rehearse(hosts, is_loss=is_loss)
        self.change_services(change, *hosts)
        while moves:
            said = moves.pop(0)
            if said['server'] in done:
                continue
            done.add(said['server'])
            if said['outcome'] == MoveOutcome.REFUSED:
                self.counts[_REFUSED] += 1
                continue
            real = self.move(said)
            kind = self.compare(said, real)
            self.counts[f'{said["outcome"]}{kind}'] += 1
            self.settle([*hosts, *down])
            if kind:
                moves = self.rehearse(hosts, is_loss=is_loss)

    def move(self, said):
        """Do one move; return what the scheduler decided."""
        request = self.act(said['server'], *{
            Move.EVACUATE: ({'evacuate': {}}, drawn_cloud.ACTIVE_AFTER),
            Move.LIVE_MIGRATE: ({'os-migrateLive': {
                'host': None, 'block_migration': 'auto',
            }},),
            Move.MIGRATE: ({'migrate': None},),
        }[said['operation']])
        real = self.find_decision(request, said['server'])
        if self.find_server(said['server']).state == 'resized':
            self.act(said['server'], {'confirmResize': None})
        return real

    def compare(self, said, real):
        """Check a decision; return whether chance chose."""
        self.assertIsNotNone(real, said)
        ours, theirs = said['host'], real.chosen.get(said['server'], [''])[0]
        if ours == theirs:
            return ''
        attempt = real.attempts[-1] if real.attempts else None
        self.assertTrue(
            attempt and ours in attempt.ranked[:attempt.equal],
            f'{said}\nbut {theirs!r}: {real.to_dict()}',
        )
        return ', of equal weight'

    def count_moved(self):
        """Return how many servers have moved."""
        return sum(
            count for kind, count in self.counts.items()
            if kind.startswith(MoveOutcome.PLACED)
        )

    def draw_hosts(self):
        """Return a host, two or three, or a rack."""
        rack = self.chance.randrange(1, drawn_cloud.RACKS + 1)
        if self.chance.random() < 0.4:
            return [host for host in self.hosts if host[1] == str(rack)]
        return self.chance.sample(self.hosts, self.chance.randrange(1, 4))


class LossesTest(RehearsalsTestCase):
    """Lose hosts and racks."""

    @testcase.attr('slow')
    def test_losses(self):
        """Servers evacuated for real go where the rehearsal sent them."""
        self.fill(4)
        self.counts = Counter()
        losses, down = 0, []
        while self.count_moved() < EVACUATED:
            hosts = [
                host for host in self.draw_hosts() if host not in down
            ]
            if not hosts:
                continue
            self.follow(hosts, {'forced_down': True}, down, is_loss=True)
            down += hosts
            losses += 1
            print(losses, hosts, dict(self.counts), file=sys.stderr)
            if len(down) > _MAX_DOWN:
                self.bring_back(*down)
                down = []


class DrainsTest(RehearsalsTestCase):
    """Drain hosts."""

    @testcase.attr('slow')
    def test_drains(self):
        """Servers migrated for real go where the rehearsal sent them."""
        self.fill(4)
        self.counts = Counter()
        drains = 0
        while self.count_moved() < DRAINED:
            hosts = self.draw_hosts()[:2]
            self.follow(hosts, {'status': 'disabled'}, is_loss=False)
            self.change_services({'status': 'enabled'}, *hosts)
            self.settle()
            drains += 1
            print(drains, hosts, dict(self.counts), file=sys.stderr)
