"""States of items and builds."""

import testtools

from nova_ext.zones import states


class StatesTest(testtools.TestCase):
    """The table of what may follow."""

    def test_ended(self):
        """Nothing follows where nothing of an attempt is left.

        A lost request may come after all; its server is deleted.
        """
        for after in states.ITEM_STATES:
            self.assertEqual(
                {states.FAILED} if after == states.UNDO else set(),
                {*states.ENDED} & {*states.list_before(after)}, after,
            )
        self.assertNotIn(states.FAILED, states.UNDOABLE)

    def test_sent_once(self):
        """An item is sent only if nothing of it was sent before."""
        self.assertEqual((states.PLANNED,), states.list_before(states.SENDING))

    def test_undone(self):
        """What is undone never becomes a server of the build."""
        for after in states.SENT, states.ACTIVE:
            self.assertNotIn(states.UNDO, states.list_before(after))

    def test_builds(self):
        """A build that is deleted is nothing else any more."""
        for after in states.BUILD_STATES:
            self.assertNotIn(
                states.DELETED, states.list_builds_before(after)
            )
