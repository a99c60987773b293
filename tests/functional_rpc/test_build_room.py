"""Replace a server while other offers hold the room."""

import fixtures
from testtools import testcase

from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.zones import registry, states
from nova_ext.zones.tables import held_offers
from nova_ext.zones.tables.models import Item
from tests.functional_rpc.test_builds import BuildsTestCase

#: Another project, whose offers hold room.
OTHERS = 'e' * 32


class HeldRoomTest(BuildsTestCase):
    """A build whose only server goes to ERROR, as its offer is another's."""

    def setUp(self):
        """Store the build, and have others hold all the room."""
        super().setUp()
        self.build = self.plan(own=1)
        with self.database.writing() as session:
            # It would offer the same hosts once more.
            registry.list_zones(session)[0].is_disabled = True
            item = session.query(Item).one()
            item.offer = f'{item.expires_at}.wrong'
            # As if it had expired: what it held is offered to others.
            held_offers.give_back(
                session, [item.request_id], self.me.project_id
            )
        self.held = self.hold_all()
        self.builder = self.make_builder()

    def hold_all(self):
        """Hold all the room; return the request ids."""
        held = []
        while slots := self.make_offers(MAX_SLOTS, OTHERS):
            held += [slot.request_id for slot in slots]
        return held

    def list_attempts(self):
        """Return state and reason of each attempt."""
        return [
            (item.state, item.reason) for item in self.read(self.build)[1]
        ]

    def work_until_gone(self):
        """Have the builder work until the first attempt is gone."""
        gone = (states.GONE, 'server_error')
        self.wait_for(
            lambda: self.builder.tick() or gone in self.list_attempts(),
            'the server in ERROR to be gone',
        )

    def count_questions(self, count):
        """Have the builder work until it has asked for offers so often."""
        asked = []
        ask = self.program.make_offers

        def note(*args):
            asked.append(args)
            return ask(*args)

        self.useFixture(fixtures.MockPatchObject(
            self.program, 'make_offers', note
        ))
        self.wait_for(
            lambda: self.builder.tick() or len(asked) >= count,
            f'{count} questions for offers',
        )

    @testcase.attr('slow')
    def test_given_back(self):
        """It waits, and takes what is given back."""
        self.work_until_gone()
        self.count_questions(3)
        self.assertEqual(
            [(states.GONE, 'server_error')], self.list_attempts()
        )
        self.assertEqual(states.BUILDING, self.read(self.build)[0].state)
        with self.database.writing() as session:
            held_offers.give_back(session, self.held[:1], OTHERS)
        self.work(self.builder, self.build, 'active')
        self.assertEqual(
            [(states.GONE, 'server_error'), (states.ACTIVE, '')],
            self.list_attempts(),
        )
        self.assertEqual(['web'], self.names())
        self.assertEqual({*self.held[1:]}, {*self.list_held()})

    def test_never(self):
        """After a while it is not waited for."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.outcome.ASK_AGAIN_S', 0
        ))
        made, _ = self.work(self.builder, self.build, 'failed')
        self.assertEqual([
            (states.GONE, 'server_error'),
            (states.FAILED, 'server_error,no_offer'),
        ], self.list_attempts())
        self.assertIn('no_offer', made.message)
        self.assertEqual({*self.held}, {*self.list_held()})
