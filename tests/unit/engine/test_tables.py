"""Test that tables freeze what changed as if they were made anew."""

import random
from types import SimpleNamespace

import testtools

from nova_ext.engine import stamps
from nova_ext.engine.host_columns import Readers
from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Demand, Inventory, Provider

_READERS = Readers(
    lambda state: (state.host, state.host),
    {'free': lambda state: state.free, 'seen': lambda state: 0.0},
    {'zone': lambda state: state.zone},
)


class HostTableTest(testtools.TestCase):
    """Freeze hosts that come, change and go."""

    def test_freeze(self):
        """Columns are those of a table that was filled at once."""
        dice = random.Random(1)  # noqa: S311  not a secret
        table, seen, states = HostTable(_READERS), {}, {}
        before = table.freeze()
        for turn in range(300):
            for _ in range(dice.randrange(3)):
                state = SimpleNamespace(
                    host=f'h{dice.randrange(6)}', free=dice.randrange(9),
                    zone=dice.randrange(4),
                )
                table.put(state)
                states[state.host] = state
                seen.pop(state.host, None)
            if states and dice.randrange(4) == 0:
                host = dice.choice(list(states))
                table.remove((host, host))
                del states[host]
                seen.pop(host, None)
            if dice.randrange(2):
                seen = dict.fromkeys(states, float(turn))
                table.set_numbers('seen', {
                    (host, host): float(turn) for host in states
                })
            frozen = table.freeze()
            self.check(frozen, states, seen)
            check_stamps(self, before, frozen, 'states')
            before = frozen

    def check(self, columns, states, seen):
        """Compare columns with what they are of."""
        self.assertEqual(
            {(host, host): row for row, host in enumerate(
                key[0] for key in columns.keys
            )}, columns.rows,
        )
        self.assertEqual(
            states, {state.host: state for state in columns.states}
        )
        rows = [states[key[0]] for key in columns.keys]
        self.assertEqual(rows, list(columns.states))
        self.assertEqual(
            [state.free for state in rows], columns.numbers['free'].tolist()
        )
        self.assertEqual(
            [seen.get(state.host, 0.0) for state in rows],
            columns.numbers['seen'].tolist(),
        )
        self.assertEqual(
            [state.zone for state in rows], columns.get_values('zone').tolist()
        )
        zones = columns.classes['zone'].tolist()
        self.assertEqual(
            [[one.zone == other.zone for other in rows] for one in rows],
            [[one == other for other in zones] for one in zones],
        )


class ProviderTableTest(testtools.TestCase):
    """Freeze providers that come, change and go."""

    def test_freeze(self):
        """Candidates are those of a table that was filled at once."""
        dice = random.Random(2)  # noqa: S311  not a secret
        table = ProviderTable()
        uuids = [f'u{number}' for number in range(6)]
        before = table.freeze()
        for turn in range(300):
            for uuid in dice.sample(uuids, dice.randrange(3)):
                table.put(_draw(dice, uuid, turn))
            if dice.randrange(5) == 0:
                table.keep(dice.sample(uuids, 4))
            frozen = table.freeze()
            check_stamps(self, before, frozen, 'providers')
            before, whole = frozen, ProviderTable()
            for provider in table:
                whole.put(provider)
            for demand in (
                Demand({'VCPU': 2}), Demand({'VCPU': 1, 'GPU': 1}),
                Demand({'VCPU': 1}, [frozenset('ab')], frozenset('c')),
                Demand({'VCPU': 1}, member_of=[frozenset('a')]),
            ):
                held = {'u1': {'VCPU': 1}, 'u2': {'GPU': 1}, 'gone': {}}
                for claims in ({}, held):
                    self.assertEqual(
                        _list_found(whole.freeze(), demand, claims),
                        _list_found(table.freeze(), demand, claims),
                    )

    def test_put_again(self):
        """One that is read again as it was changes nothing."""
        table = ProviderTable()
        table.put(Provider('u', 1, {'VCPU': Inventory(4)}, {'VCPU': 1}))
        columns = table.freeze()
        table.put(Provider('u', 1, {'VCPU': Inventory(4)}, {'VCPU': 1}))
        self.assertIs(columns, table.freeze())
        table.put(Provider('u', 2, {'VCPU': Inventory(4)}, {'VCPU': 1}))
        self.assertIsNot(columns, table.freeze())

    def test_held(self):
        """What is held counts as used, and only once."""
        table = ProviderTable()
        table.put(Provider('u', 1, {'VCPU': Inventory(4)}, {'VCPU': 1}))
        columns, demand = table.freeze(), Demand({'VCPU': 2})
        for held, fits in ((0, True), (1, True), (2, False), (1, True)):
            amounts = {'u': {'VCPU': held}}
            self.assertEqual([fits], columns.find(demand, amounts).tolist())
            self.assertEqual(
                fits, columns.has_room(demand, 'u', amounts['u'])
            )


def check_stamps(test, before, now, name):
    """Compare stamps with what has them."""
    changed = stamps.list_changed(before.stamps, now.stamps)
    values = getattr(now, name)
    test.assertEqual(len(values), len(now.stamps))
    if now.rows is before.rows:
        test.assertEqual([
            row for row, each in enumerate(values)
            if each is not getattr(before, name)[row]
        ], changed)
    else:
        test.assertEqual(list(range(len(values))), changed)


def _draw(dice, uuid, generation):
    return Provider(
        uuid, generation, {
            name: Inventory(dice.randrange(1, 5))
            for name in ('VCPU', 'GPU') if dice.randrange(4)
        }, {'VCPU': dice.randrange(3)},
        frozenset(dice.sample('abc', dice.randrange(3))),
        frozenset(dice.sample('abc', dice.randrange(3))),
    )


def _list_found(columns, demand, held):
    mask = columns.find(demand, held)
    return {uuid for uuid, row in columns.rows.items() if mask[row]}
