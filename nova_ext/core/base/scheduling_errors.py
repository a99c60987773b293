"""Define the errors with which a scheduler answers over RPC.

Each has one sentence as its only argument, so that the caller's library can
build it again. No class of another module crosses RPC.
"""

from nova_ext.core.base.errors import NovaExtError


class SchedulingError(NovaExtError):
    """Serve as base of all errors that cross RPC.

    :param sentence: what is wrong, where, and what to do.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)


class UnknownTopicError(SchedulingError):
    """Report a topic that no driver of the scheduler has."""


class UnknownMethodError(SchedulingError):
    """Report a method that the topic's driver lacks or does not offer."""


class WrongArgumentsError(SchedulingError):
    """Report arguments, or values of them, that the method does not take."""


class MoveRefusedError(SchedulingError):
    """Report a move about which Nova would ask no scheduler."""


class NoHostError(SchedulingError):
    """Report that no host fits, or none is up."""


class DriverError(SchedulingError):
    """Report a driver that raised, or returned what can't be sent."""


class UnauthenticatedError(SchedulingError):
    """Report a caller without a token, or with one that Nova refuses."""


class ApiError(SchedulingError):
    """Report a call in the caller's name that Nova's API refused."""


class NotHonouredError(SchedulingError):
    """Report a scheduler that would ignore an offer; nothing was created."""


class BusyError(SchedulingError):
    """Report that too many requests wait already; nothing was done."""


class RequestTimeoutError(SchedulingError):
    """Report an answer that is late; the method may have run."""


class UnreachableError(SchedulingError):
    """Report a message bus that can't be reached.

    Nothing ran, unless the bus broke after it had taken the message.
    """


class NoSchedulerError(UnreachableError):
    """Report that no queue takes the message: no nova-ext-scheduler runs."""


class TooOldError(SchedulingError):
    """Report a scheduler that is too old for the method."""
