"""The scheduler library: how programs ask Nova's scheduler, and tell it.

It needs oslo.messaging and oslo.context, and no Nova. What this package
names here is public: within one major version of nova-ext, names,
arguments, results and errors stay, and what is added is optional. A client
works with schedulers of any version that know the method; one that does
not is answered with a TooOldError.
"""

from nova_ext.client.reporter import Reporter
from nova_ext.client.scheduler_client import (
    SchedulerClient,
    UnclaimedDestination,
)
from nova_ext.core.capacity import Capacity
from nova_ext.core.decision import Decision
from nova_ext.core.scheduling_errors import (
    ApiError,
    DriverError,
    NoHostError,
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
from nova_ext.core.what_if import BootFlavor, BootRequest, Changes

__all__ = [
    'ApiError',
    'BootFlavor',
    'BootRequest',
    'Capacity',
    'Changes',
    'Decision',
    'DriverError',
    'NoHostError',
    'NotHonouredError',
    'Reporter',
    'RequestTimeoutError',
    'SchedulerClient',
    'SchedulingError',
    'TooOldError',
    'UnauthenticatedError',
    'UnclaimedDestination',
    'UnknownMethodError',
    'UnknownTopicError',
    'UnreachableError',
    'WrongArgumentsError',
]
