"""Views of hosts, for plugins that may change what they get."""

import copy

import numpy as np
import testtools
from nova.scheduler import host_manager

from nova_ext.engine.host_columns import Readers
from nova_ext.engine.host_table import HostTable
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.mirror.plugins.host_views import HostView, HostViews


def make_state(number):
    """Return a host state."""
    state = host_manager.HostState(f'h{number}', f'n{number}', 'cell')
    state.free_ram_mb = number * 1024
    state.instances = {'i': number}
    return state


class ViewTest(testtools.TestCase):
    """One host."""

    def setUp(self):
        """Make a state and its view."""
        super().setUp()
        self.state = make_state(1)
        self.view = HostView(self.state)

    def test_read(self):
        """It is a host state with the same attributes, unknown ones too."""
        self.assertIsInstance(self.view, host_manager.HostState)
        for name, value in vars(self.state).items():
            self.assertEqual(value, getattr(self.view, name), name)
        self.assertEqual(repr(self.state), repr(self.view))
        self.assertEqual('1', getattr(self.view, 'rack', '1'))
        self.state.rack = '2'
        self.assertEqual('2', self.view.rack)

    def test_change(self):
        """What is set, or put into a dict or list, stays on the view."""
        self.view.free_ram_mb -= 1000
        self.view.instances['j'] = 2
        self.view.aggregates.append('a')
        self.view.limits['numa_topology'] = 'x'
        self.assertEqual(24, self.view.free_ram_mb)
        self.assertEqual({'i': 1, 'j': 2}, self.view.instances)
        self.assertEqual({'numa_topology': 'x'}, self.view.limits)
        self.assertEqual((1024, {'i': 1}, [], {}), (
            self.state.free_ram_mb, self.state.instances,
            self.state.aggregates, self.state.limits,
        ))

    def test_methods(self):
        """Methods of Nova's change the view, not the state."""
        self.view.update(inst_dict={'k': 3}, service={'host': 'h1'})
        self.assertEqual({'k': 3}, self.view.instances)
        self.assertEqual({'i': 1}, self.state.instances)
        self.assertFalse(hasattr(self.state, 'service'))

    def test_copy(self):
        """A plugin may copy it."""
        for copied in (copy.copy(self.view), copy.deepcopy(self.view)):
            self.assertEqual('h1', copied.host)
            copied.free_ram_mb = 1
        self.assertEqual(1024, self.view.free_ram_mb)


class ViewsTest(testtools.TestCase):
    """Some hosts of several."""

    def setUp(self):
        """Make columns of four hosts, and views of three of them."""
        super().setUp()
        table = HostTable(Readers(host_key))
        for number in range(4):
            table.put(make_state(number))
        self.columns = table.freeze()
        self.rows = np.array([3, 0, 2])
        self.views = HostViews(self.columns, self.rows)

    def test_sequence(self):
        """There is a view of each host."""
        self.assertEqual(3, len(self.views))
        self.assertEqual(['h3', 'h0', 'h2'], [v.host for v in self.views])
        self.assertEqual('h0', self.views[1].host)
        self.assertEqual('h2', self.views[-1].host)
        self.assertEqual(['h0', 'h2'], [v.host for v in self.views[1:]])

    def test_columns(self):
        """Each attribute of a host is a column of Python's own values."""
        for name in vars(self.columns.states[0]):
            if not name.startswith('_'):
                self.assertEqual(
                    [getattr(view, name) for view in self.views],
                    getattr(self.views, name), name,
                )
        self.assertEqual([3072, 0, 2048], self.views.free_ram_mb)
        self.assertIs(int, type(self.views.free_ram_mb[0]))
        self.assertRaises(AttributeError, getattr, self.views, 'free_ram')

    def test_change(self):
        """What a plugin does to a column, no other gets to see."""
        self.views.free_ram_mb[0] = 7
        self.views.instances[0]['j'] = 1
        self.assertEqual(7, self.views.free_ram_mb[0])
        others = HostViews(self.columns, self.rows)
        self.assertEqual(3072, others.free_ram_mb[0])
        self.assertEqual([{'i': 3}, {'i': 0}, {'i': 2}], others.instances)

    def test_newer_states(self):
        """Columns of newer states have their values, also once read."""
        newer = make_state(9)
        for replace in (self.columns.replace, self.columns.replace_states):
            self.assertEqual(
                [0, 2048], HostViews(
                    self.columns, np.array([0, 2])
                ).free_ram_mb,
            )
            replaced = HostViews(replace({2: newer}), np.array([0, 2]))
            self.assertEqual([0, 9216], replaced.free_ram_mb)
            self.assertEqual([{'i': 0}, {'i': 9}], replaced.instances)
