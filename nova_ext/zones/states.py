"""Define the states of builds and of their items, and what may follow.

Each change of a state has the state before it as a condition. If two processes
change it, one of them succeeds.
"""

from collections.abc import Mapping

#: States of an item. Nothing was sent.
PLANNED = 'planned'
#: It is being sent, or who sent it died meanwhile.
SENDING = 'sending'
#: Nova has given the server an id.
SENT = 'sent'
ACTIVE = 'active'
#: There is no server, and none will come.
FAILED = 'failed'
#: There was no answer: there may be a server.
UNKNOWN = 'unknown'
#: Its server is to be deleted.
UNDO = 'undo'
#: Its server was deleted, or was never wanted any more.
GONE = 'gone'
#: Reason of a failed item whose server was not found. The request may still
#: arrive; its server ends in ERROR then, and is deleted.
LOST = 'lost'

#: The sender may learn the answer after others have looked for the server. So
#: an answer is accepted in UNKNOWN, too, and the server's ID in UNDO.
_FOLLOWING: Mapping[str, frozenset[str]] = {
    PLANNED: frozenset({SENDING, FAILED, GONE}),
    SENDING: frozenset({SENT, FAILED, UNKNOWN, UNDO, GONE}),
    UNKNOWN: frozenset({SENT, FAILED, UNDO, GONE}),
    SENT: frozenset({ACTIVE, UNDO, GONE}),
    ACTIVE: frozenset({UNDO, GONE}),
    # FAILED: nothing was found of it, and its request may come later.
    UNDO: frozenset({GONE, FAILED}),
    # Its request came after all, too late for a host.
    FAILED: frozenset({UNDO}),
    GONE: frozenset(),
}
ITEM_STATES = tuple(_FOLLOWING)
#: A child zone may have it, and is sent it again otherwise.
UNANSWERED = (SENDING, UNKNOWN)
#: Another attempt may follow: nothing of this one is left or will come.
ENDED = (FAILED, GONE)
#: There may be a server, which is deleted where it is not wanted any more.
UNDOABLE = tuple(
    state for state, following in _FOLLOWING.items()
    if UNDO in following and state not in ENDED
)
#: A builder still has to do something.
OPEN = (PLANNED, SENDING, UNKNOWN, SENT, UNDO)

#: States of a build.
BUILDING = 'building'
BUILD_ACTIVE = 'active'
BUILD_FAILED = 'failed'
DELETING = 'deleting'
DELETED = 'deleted'
_BUILDS: Mapping[str, frozenset[str]] = {
    BUILDING: frozenset({BUILD_ACTIVE, BUILD_FAILED, DELETING}),
    BUILD_ACTIVE: frozenset({DELETING}),
    BUILD_FAILED: frozenset({DELETING}),
    DELETING: frozenset({DELETED}),
    DELETED: frozenset(),
}
BUILD_STATES = tuple(_BUILDS)
#: A builder works on these builds; others are over.
WORKED_ON = (BUILDING, DELETING)
#: Seconds after a build's time in which servers that it does not keep are
#: still deleted. Its trust lasts at least as long.
STALE_S = 3600


def list_before(after: str) -> tuple[str, ...]:
    """Return the states of an item that another one may follow."""
    return tuple(
        before for before, following in _FOLLOWING.items()
        if after in following
    )


def list_builds_before(after: str) -> tuple[str, ...]:
    """Return the states of a build that another one may follow."""
    return tuple(
        before for before, following in _BUILDS.items() if after in following
    )
