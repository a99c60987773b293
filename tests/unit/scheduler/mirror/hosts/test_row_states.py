"""Hosts of rows are found by name as those of a list are."""

import random
from types import SimpleNamespace

import numpy as np
import testtools

from nova_ext.engine.host_columns import Readers
from nova_ext.engine.host_table import HostTable
from nova_ext.scheduler.base import host_states
from nova_ext.scheduler.completion import unread_metadata
from nova_ext.scheduler.mirror.hosts.row_states import RowStates

#: The second and the third are different hosts; one has two nodes.
_KEYS = [
    ('a', 'a'), ('b', 'b'), ('B', 'B'), ('c', 'n-1'), ('c', 'n-2'), ('d', 'd'),
]


class RowStatesTest(testtools.TestCase):
    """Compare some rows with a list of the same states."""

    def setUp(self):
        """Draw the same in each run."""
        super().setUp()
        self.dice = random.Random(7)  # noqa: S311  not a secret
        self.table = HostTable(Readers(host_states.host_key))
        for host, node in _KEYS:
            self.table.put(SimpleNamespace(host=host, nodename=node))

    def draw(self):
        """Return some rows, and their states as a list."""
        columns = self.table.freeze()
        rows = np.array(self.dice.sample(
            range(len(columns)), self.dice.randrange(len(columns) + 1)
        ), np.int64)
        return RowStates(columns, rows), [
            columns.states[row] for row in rows.tolist()
        ]

    def draw_names(self):
        """Return names of hosts; some are not in the table."""
        names = ['a', 'b', 'B', 'c', 'd', 'A', 'elsewhere']
        return self.dice.sample(names, self.dice.randrange(len(names) + 1))

    def test_missing(self):
        """The same names are missing, with an old list and a new one."""
        names = self.draw_names()
        for turn in range(500):
            if not turn % 3:
                names = self.draw_names()
            if not turn % 50:
                self.table.put(
                    SimpleNamespace(host=f'new-{turn}', nodename='n')
                )
                names = [*names, f'new-{turn}']
            rows, states = self.draw()
            self.assertEqual(
                host_states.find_missing(states, names),
                host_states.find_missing(rows, names),
            )

    def test_named(self):
        """The same states have the names."""
        for _ in range(300):
            rows, states = self.draw()
            names = set(self.draw_names())
            self.assertEqual(
                {*map(host_states.host_key,
                      unread_metadata.list_named(states, names))},
                {*map(host_states.host_key,
                      unread_metadata.list_named(rows, names))},
            )
