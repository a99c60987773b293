"""The state that an up leads to."""

import testtools

from nova_ext.lab.state import hosts, lab_state
from nova_ext.lab.state.desired_state import Wanted
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import Host


class AfterTest(testtools.TestCase):
    """From a lab's state, or none."""

    def before(self, *names):
        """The state of a lab with these hosts."""
        return lab_state.new([Host(name) for name in names])

    def test_first(self):
        """The usual hosts, nova-ext's scheduler and no settings."""
        state = Wanted().after(None)
        self.assertEqual(
            (list(hosts.DEFAULT), False, {}),
            ([host.name for host in state.hosts], state.stock,
             state.settings),
        )

    def test_nothing_wanted(self):
        """What was remembered holds, and is equal."""
        before = self.before('a')
        before.stock_schedulers, before.settings = 1, {'a.b': ['1']}
        self.assertEqual(before, Wanted().after(before))

    def test_before_is_left_alone(self):
        """A failed up goes back to it."""
        before = self.before('a')
        before.ports = {'nova': 1}
        after = Wanted(settings={'a.b': ['1']}).after(before)
        after.ports['nova'] = 2
        self.assertEqual(({}, 1), (before.settings, before.ports['nova']))

    def test_hosts_can_be_added_and_resized(self):
        """In the order given."""
        after = Wanted(hosts=[Host('b'), Host('a', vcpus=1)]).after(
            self.before('a')
        )
        self.assertEqual([Host('b'), Host('a', vcpus=1)], after.hosts)

    def test_hosts_can_not_be_removed(self):
        """The line names the host."""
        error = self.assertRaises(
            LabError, Wanted(hosts=[Host('b')]).after, self.before('a', 'b')
        )
        self.assertIn('--computes leaves out a', str(error))

    def test_zones_can_not_change(self):
        """Nova would refuse it for a host with servers."""
        error = self.assertRaises(
            LabError, Wanted(hosts=[Host('a', az='x')]).after,
            self.before('a'),
        )
        self.assertIn('a can\'t change its az', str(error))

    def test_stock_and_back(self):
        """The flag is remembered until its opposite is given."""
        stock = Wanted(stock=True).after(self.before('a'))
        self.assertTrue(Wanted().after(stock).stock)
        self.assertFalse(Wanted(stock=False).after(stock).stock)

    def test_some_stock(self):
        """As many as were wanted, for as long as there are so many."""
        both = Wanted(
            broker='rabbit', schedulers=3, stock_schedulers=2
        ).after(None)
        self.assertEqual((False, 2), (both.stock, both.stock_schedulers))
        for wanted, expected in (
            (Wanted(), 2), (Wanted(schedulers=2), 1),
            (Wanted(stock=True, schedulers=5), 5), (Wanted(stock=False), 0),
        ):
            self.assertEqual(expected, wanted.after(both).stock_schedulers)

    def test_more_stock_than_there_are(self):
        """The line says how many there are."""
        error = self.assertRaises(
            LabError,
            Wanted(broker='rabbit', stock_schedulers=2).after, None,
        )
        self.assertEqual(
            '--stock-schedulers 2: the lab has 1; add: --schedulers 2',
            str(error),
        )

    def test_broker(self):
        """Remembered, with its schedulers, until the form is changed."""
        state = Wanted(broker='rabbit', schedulers=3).after(self.before('a'))
        self.assertEqual(('rabbit', 3), (state.broker, state.schedulers))
        again = Wanted().after(state)
        self.assertEqual(state, again)
        back = Wanted(broker='none').after(state)
        self.assertEqual(('none', 1), (back.broker, back.schedulers))

    def test_workers(self):
        """An option of nova.conf by another name."""
        state = Wanted(broker='rabbit', workers=2).after(None)
        self.assertEqual({'scheduler.workers': ['2']}, state.settings)

    def test_schedulers_without_a_broker(self):
        """The line says what they need."""
        for option in ('schedulers', 'stock_schedulers', 'workers'):
            error = self.assertRaises(
                LabError, Wanted(**{option: 2}).after, self.before('a')
            )
            self.assertIn(
                f'--{option.replace("_", "-")} needs', str(error)
            )
            self.assertIn('add: --broker rabbit', str(error))

    def test_a_lab_from_before_there_were_brokers(self):
        """It gets the password that it lacks, and keeps the others."""
        before = self.before('a')
        del before.passwords['broker']
        after = Wanted().after(before).passwords
        self.assertEqual(
            before.passwords, {user: after[user] for user in before.passwords}
        )
        self.assertTrue(after['broker'])
