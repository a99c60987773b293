"""Know the room of the hosts that a request looks at."""

import fixtures
import testtools

from nova_ext.engine.providers import Demand
from nova_ext.scheduler.mirror.deciding.host_room import HostRoom
from tests.unit.scheduler.mirror.deciding import plain_cloud


class HostRoomTest(testtools.TestCase):
    """Each server takes one of a host's two processors."""

    def setUp(self):
        """Read one host, on which nothing is held."""
        super().setUp()
        self.snapshot = plain_cloud.make_snapshot({'a': 2, 'b': 2})
        self.row = self.snapshot.hosts.rows['a', 'a']
        self.now = {}

    def make(self, held=0):
        """Return the room.

        :param held: processors of a that are held when the request begins.
        """
        self.now = {'VCPU': held} if held else {}
        return HostRoom(
            self.snapshot.providers, Demand({'VCPU': 1}),
            {'a': dict(self.now)} if held else {}, lambda uuid: self.now,
        )

    def look(self, room):
        """Return what may be claimed on a, by the state that Nova gets."""
        state = room.get_state(self.snapshot.hosts, self.row)
        return [
            each['allocations'] for each in state.allocation_candidates
        ]

    def test_state(self):
        """A state is the request's own, and the same one each time."""
        room = self.make()
        state = room.get_state(self.snapshot.hosts, self.row)
        self.assertIs(state, room.get_state(self.snapshot.hosts, self.row))
        state.free_ram_mb = -1
        shared = self.snapshot.hosts.states[self.row]
        self.assertEqual(0, shared.free_ram_mb)
        self.assertEqual(
            [{'a': {'resources': {'VCPU': 1}}}], self.look(room)
        )

    def test_claim(self):
        """The request's own claims take room, once each."""
        room = self.make()
        room.claim(['a'])  # nobody has looked at it
        self.assertEqual(1, len(self.look(room)))
        for left in (1, 0):
            # The ledger has the claim, too; it is not counted twice.
            self.now = {'VCPU': 2 - left}
            room.claim(['a'])
            self.assertEqual(left, len(self.look(room)))
        (state,) = room.list_claimed()
        self.assertEqual({self.row: state}, room.take_changed())
        self.assertEqual({}, room.take_changed())

    def test_held(self):
        """What others claim takes room, when it began and now."""
        self.assertEqual(1, len(self.look(self.make(1))))
        room = self.make(1)
        self.now = {'VCPU': 2}
        self.assertEqual([], self.look(room))
        # A reading shows it meanwhile; the request's snapshot does not.
        room = self.make(1)
        self.now = {}
        room.get_state(self.snapshot.hosts, self.row)
        room.claim(['a'])
        self.assertEqual([], self.look(room))

    def test_taken(self):
        """The journal hears of hosts that others took meanwhile, alone."""
        taken = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.mirror.journaled_hosts.note_taken',
            taken.append,
        ))
        room = self.make()
        for _ in range(2):  # the request fills it itself
            room.get_state(self.snapshot.hosts, self.row)
            room.claim(['a'])
        self.assertEqual(([], []), (self.look(room), taken))
        room = self.make()
        self.now = {'VCPU': 2}
        self.assertEqual(([], ['a']), (self.look(room), taken))

    def test_refuse(self):
        """A host that refused is not tried again."""
        room = self.make()
        self.look(room)
        room.refuse(['a', 'b'])  # nobody has looked at b
        self.assertEqual((1, []), (room.refusals, self.look(room)))
        room.refuse(['a'])
        self.assertEqual(1, room.refusals)
