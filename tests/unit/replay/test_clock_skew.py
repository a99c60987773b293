"""Clocks of machines, by the servers that one placed and another one saw."""

from types import SimpleNamespace

import testtools

from nova_ext.journal.model import HostFacts
from nova_ext.replay.clock_skew import ClockSkew

#: Seconds by which the clock of ctl-2 is ahead.
AHEAD_S = 90.0
_TEXT = (
    'the clock of {} is {} that of {}: {} s; each decision has its own '
    'machine\'s time, in --since, --until and the report\'s order'
)


class ClockSkewTest(testtools.TestCase):
    """Two machines place servers on one host in turn, once in two seconds."""

    def setUp(self):
        """See nothing yet."""
        super().setUp()
        self.skew = ClockSkew()
        self.servers = []

    def place(self, machine, time, server='', clock_s=0.0, **fields):
        """Add a decision that sees all servers that were placed before."""
        self.skew.add(machine, f'{machine}.journal', SimpleNamespace(
            time=time + clock_s,
            hosts=[HostFacts('a', 'a', '', '', {
                'instances': list(self.servers),
            })], servers=[server],
            **{'mirrored': False, 'spec': {}, 'operation': 'first boot'}
            | fields,
        ))
        self.servers.append(server)

    def place_in_turn(self, clock_s, count=6):
        """Add decisions of both machines."""
        for number in range(count):
            second = number % 2
            self.place(
                f'ctl-{second + 1}', 1000.0 + 2 * number, f'server-{number}',
                clock_s if second else 0.0,
            )

    def test_ahead(self):
        """Both bounds are known where each has seen the other's servers."""
        self.place_in_turn(AHEAD_S)
        self.place('ctl-1', 1012.0)
        self.assertEqual(
            [_TEXT.format('ctl-2', 'ahead of', 'ctl-1', '88 to 92')],
            list(self.skew.list_notes()),
        )

    def test_behind(self):
        """A clock may be behind."""
        self.place_in_turn(-AHEAD_S)
        self.place('ctl-1', 1012.0)
        self.assertEqual(
            [_TEXT.format('ctl-2', 'behind', 'ctl-1', '88 to 92')],
            list(self.skew.list_notes()),
        )

    def test_one_way(self):
        """Where one machine saw nothing, one bound is known."""
        self.place('ctl-2', 1000.0, 'server-1', AHEAD_S)
        self.place('ctl-1', 1002.0)
        self.place('ctl-1', 1004.0)
        self.assertEqual(
            [_TEXT.format('ctl-2', 'ahead of', 'ctl-1', '88').replace(
                ' s;', ' s or more;'
            )],
            list(self.skew.list_notes()),
        )

    def test_mirrored(self):
        """The mirror's hosts count where it asked for their servers."""
        for data, notes in (
            ({'instance_group': None, 'scheduler_hints': None}, 0),
            ({'instance_group': {'nova_object.name': 'InstanceGroup'}}, 1),
            ({'scheduler_hints': {'same_host': ['x']}}, 1),
        ):
            self.skew, self.servers = ClockSkew(), []
            self.place('ctl-2', 1000.0, 'server-1', AHEAD_S)
            self.place('ctl-1', 1002.0, mirrored=True, spec={
                'nova_object.data': data,
            })
            self.assertEqual(notes, len(list(self.skew.list_notes())))

    def test_right(self):
        """Clocks that are right, or wrong by little, are not told."""
        for clock_s in (0.0, 9.0, -9.0):
            self.skew, self.servers = ClockSkew(), []
            self.place_in_turn(clock_s)
            self.assertEqual([], list(self.skew.list_notes()))

    def test_one_machine(self):
        """One machine has no other to compare with."""
        self.assertEqual([], list(self.skew.list_notes()))
        self.place('ctl-1', 1000.0)
        self.assertEqual([], list(self.skew.list_notes()))

    def test_moves(self):
        """A move, and a boot that was decided again, prove nothing."""
        for operation in ('move', 'first boot'):
            self.skew, self.servers = ClockSkew(), []
            self.place('ctl-1', 1000.0, 'server-1', operation=operation)
            self.place('ctl-2', 1002.0)
            self.place('ctl-1', 2000.0, 'server-1', operation=operation)
            self.place('ctl-1', 2001.0)
            self.assertEqual([], list(self.skew.list_notes()))
