"""Test the changes that an up makes to a lab's state."""

import testtools

from nova_ext.lab.state import hosts, lab_state
from nova_ext.lab.state.desired_state import (
    LabChanges,
    merge_settings,
    parse_settings,
)
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost
from nova_ext.lab.state.zone import Zone


class ApplyTest(testtools.TestCase):
    """Apply changes to a state, or to none."""

    def before(self, *names):
        """Return the state of a lab with these hosts."""
        return lab_state.create([LabHost(name) for name in names])

    def test_first(self):
        """Begin with the default hosts and scheduler, without settings."""
        state = LabChanges().apply_to('one', None)
        self.assertEqual(
            (list(hosts.DEFAULT), False, {}),
            ([host.name for host in state.hosts], state.stock,
             state.settings),
        )

    def test_no_changes(self):
        """Keep the state as it was."""
        before = self.before('a')
        before.stock_schedulers, before.settings = 1, {'a.b': ['1']}
        self.assertEqual(before, LabChanges().apply_to('one', before))

    def test_before_is_left_alone(self):
        """Leave the state before alone: a failed up goes back to it."""
        before = self.before('a')
        before.ports = {'nova': 1}
        after = LabChanges(settings={'a.b': ['1']}).apply_to('one', before)
        after.ports['nova'] = 2
        self.assertEqual(({}, 1), (before.settings, before.ports['nova']))

    def test_hosts_can_be_added_and_resized(self):
        """Keep the order of --computes."""
        after = LabChanges(
            hosts=[LabHost('b'), LabHost('a', vcpus=1)]
        ).apply_to('one', self.before('a'))
        self.assertEqual([LabHost('b'), LabHost('a', vcpus=1)], after.hosts)

    def test_hosts_can_not_be_removed(self):
        """Name the host in the error."""
        error = self.assertRaises(
            LabError, LabChanges(hosts=[LabHost('b')]).apply_to, 'one',
            self.before('a', 'b'),
        )
        self.assertIn('--computes leaves out a', str(error))
        self.assertIn(
            '"nova-ext lab delete --name one" first, to begin anew',
            str(error),
        )

    def test_advice_for_zones(self):
        """Name the first one: none of them is deleted alone."""
        before = self.before('a')
        before.zone = Zone(('z', 'z-2'), 1)
        error = self.assertRaises(
            LabError, LabChanges(hosts=[LabHost('b')]).apply_to, 'z-2', before
        )
        self.assertIn('"nova-ext lab delete --name z"', str(error))

    def test_zones_can_not_change(self):
        """Refuse what Nova would refuse for a host with servers."""
        error = self.assertRaises(
            LabError, LabChanges(hosts=[LabHost('a', az='x')]).apply_to, 'one',
            self.before('a'),
        )
        self.assertIn('a can\'t change its az', str(error))
        self.assertIn('"nova-ext lab delete --name one"', str(error))

    def test_stock_and_back(self):
        """Remember the flag until its opposite is given."""
        stock = LabChanges(stock=True).apply_to('one', self.before('a'))
        self.assertTrue(LabChanges().apply_to('one', stock).stock)
        self.assertFalse(LabChanges(stock=False).apply_to('one', stock).stock)

    def test_some_stock(self):
        """Keep their number, while there are so many schedulers."""
        both = LabChanges(
            broker='rabbit', schedulers=3, stock_schedulers=2
        ).apply_to('one', None)
        self.assertEqual((False, 2), (both.stock, both.stock_schedulers))
        for changes, expected in (
            (LabChanges(), 2), (LabChanges(schedulers=2), 1),
            (LabChanges(stock=True, schedulers=5), 5),
            (LabChanges(stock=False), 0),
        ):
            state = changes.apply_to('one', both)
            self.assertEqual(expected, state.stock_schedulers)

    def test_more_stock_than_there_are(self):
        """Say how many schedulers there are."""
        error = self.assertRaises(
            LabError,
            LabChanges(broker='rabbit', stock_schedulers=2).apply_to,
            'one', None,
        )
        self.assertEqual(
            '--stock-schedulers 2: the lab has 1; add: --schedulers 2',
            str(error),
        )

    def test_broker(self):
        """Remember the broker and its schedulers, until the broker is none."""
        changes = LabChanges(broker='rabbit', schedulers=3)
        state = changes.apply_to('one', self.before('a'))
        self.assertEqual(('rabbit', 3), (state.broker, state.schedulers))
        self.assertEqual(state, LabChanges().apply_to('one', state))
        back = LabChanges(broker='none').apply_to('one', state)
        self.assertEqual(('none', 1), (back.broker, back.schedulers))

    def test_schedulers_without_a_broker(self):
        """Say what each option needs."""
        for option in ('schedulers', 'stock_schedulers'):
            error = self.assertRaises(
                LabError, LabChanges(**{option: 2}).apply_to, 'one',
                self.before('a'),
            )
            self.assertIn(
                f'--{option.replace("_", "-")} needs', str(error)
            )
            self.assertIn('add: --broker rabbit', str(error))


class ParseSettingsTest(testtools.TestCase):
    """Parse values by option."""

    def test_values(self):
        """Take repeated options, and values that are empty or hold '='."""
        self.assertEqual(
            {
                'nova_ext.scheduler_driver': ['A', 'B'],
                'nova_ext_ip_scheduler.rules': ['10.0.0.0/8=a'],
                'DEFAULT.log_dir': [''],
            },
            parse_settings([
                'nova_ext.scheduler_driver=A',
                'nova_ext_ip_scheduler.rules = 10.0.0.0/8=a',
                'nova_ext.scheduler-driver=B', 'DEFAULT.log-dir=',
            ]),
        )

    def test_refusals(self):
        """Show the word and the form in the error."""
        for word, expected in (
            ('a.b', '--set a.b: write GROUP.OPTION=VALUE'),
            ('b=1', '--set b: name the option as GROUP.OPTION'),
            ('a.b.c=1', '--set a.b.c: name the option as GROUP.OPTION'),
            ('a.b=1\n[x]', 'write GROUP.OPTION=VALUE'),
        ):
            error = self.assertRaises(LabError, parse_settings, [word])
            self.assertIn(expected, str(error))


class MergeSettingsTest(testtools.TestCase):
    """Merge the settings before with those of an up."""

    def test_replaced(self):
        """Replace all values of a given option, and no other option."""
        self.assertEqual(
            {'a.x': ['3'], 'b.y': ['2']},
            merge_settings(
                {'a.x': ['0', '1'], 'b.y': ['2']}, {'a.x': ['3']}, ()
            ),
        )

    def test_unset(self):
        """Forget an unset option, spelled with "-" or "_"."""
        self.assertEqual(
            {}, merge_settings({'a.x_y': ['1']}, {}, ['a.x-y'])
        )

    def test_unset_of_a_wrong_form(self):
        """Name the flag in the error."""
        error = self.assertRaises(LabError, merge_settings, {}, {}, ['x'])
        self.assertIn('--unset x: name the option', str(error))
