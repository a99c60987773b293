"""Call Nova's scheduler from any program: the scheduler library.

It needs oslo.messaging and oslo.config, and no Nova. What this package
names here is public: within one major version of nova-ext, names, arguments,
results and errors stay, and what is added is optional. A call that a scheduler
does not know raises a TooOldError. ``api``, ``agent``, ``zones``, ``cmd``, the
scheduler and programs of others import it. Begin with ``scheduler_client.py``.
"""

from nova_ext.client.reporter import Reporter
from nova_ext.client.scheduler_client import (
    SchedulerClient,
    UnclaimedDestination,
)
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.scheduling_errors import (
    ApiError,
    BusyError,
    DriverError,
    MoveRefusedError,
    NoHostError,
    NoSchedulerError,
    NotHonouredError,
    RequestTimeoutError,
    SchedulingError,
    TooOldError,
    UnauthenticatedError,
    UnknownMethodError,
    UnknownTopicError,
    UnreachableError,
    WrongArgumentsError,
)
from nova_ext.core.decision.decision import Decision
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest, Changes
from nova_ext.core.rpc.capacity import Capacity
from nova_ext.core.rpc.losses import Loss, Losses, LossesRequest
from nova_ext.core.rpc.move_request import Move, MoveRequest, SimulatedMove
from nova_ext.core.rpc.offers import (
    HeldRoom,
    OfferAnswer,
    OfferQuestion,
    Slot,
)
from nova_ext.core.rpc.rehearsal import (
    Rehearsal,
    RehearsalRequest,
    RehearsedMove,
    SpareHosts,
)
from nova_ext.core.stats.capabilities import MAX_VALUES

__all__ = [
    'MAX_VALUES',
    'ApiError',
    'BootFlavor',
    'BootRequest',
    'BusyError',
    'Capacity',
    'Changes',
    'Decision',
    'DriverError',
    'HeldRoom',
    'Loss',
    'Losses',
    'LossesRequest',
    'Move',
    'MoveRefusedError',
    'MoveRequest',
    'NoHostError',
    'NoSchedulerError',
    'NotHonouredError',
    'NovaExtError',
    'OfferAnswer',
    'OfferQuestion',
    'Rehearsal',
    'RehearsalRequest',
    'RehearsedMove',
    'Reporter',
    'RequestTimeoutError',
    'SchedulerClient',
    'SchedulingError',
    'SimulatedMove',
    'Slot',
    'SpareHosts',
    'TooOldError',
    'UnauthenticatedError',
    'UnclaimedDestination',
    'UnknownMethodError',
    'UnknownTopicError',
    'UnreachableError',
    'WrongArgumentsError',
]
