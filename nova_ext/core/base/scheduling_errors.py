"""What a scheduler answers when it can't do what it was asked over RPC.

Each error is made of one sentence, so that it can be made again by the
caller's library. No class of another module crosses RPC.
"""

from nova_ext.core.base.errors import NovaExtError


class SchedulingError(NovaExtError):
    """Base of all of them.

    :param sentence: what is wrong, where, and what to do.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)


class UnknownTopicError(SchedulingError):
    """No driver of the scheduler has the topic."""


class UnknownMethodError(SchedulingError):
    """The topic's driver has no such method, or does not offer it."""


class WrongArgumentsError(SchedulingError):
    """The method does not take these arguments, or not these values."""


class NoHostError(SchedulingError):
    """No host fits, or none is up."""


class DriverError(SchedulingError):
    """The driver raised, or returned what can't be sent."""


class UnauthenticatedError(SchedulingError):
    """The caller's context has no token, or Nova's API refuses it."""


class ApiError(SchedulingError):
    """Nova's API refused what was asked in the caller's name."""


class NotHonouredError(SchedulingError):
    """A scheduler would ignore what was chosen; nothing was created."""


class BusyError(SchedulingError):
    """As many questions wait already as may; nothing was done."""


class RequestTimeoutError(SchedulingError):
    """No answer came in time; whether the method ran is not known."""


class UnreachableError(SchedulingError):
    """The message bus could not be reached, or broke as it was told.

    Nothing was run, unless the bus took the message and broke before it
    said so.
    """


class TooOldError(SchedulingError):
    """The scheduler is older than what it was asked for."""
