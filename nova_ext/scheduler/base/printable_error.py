"""Log what plugins raise, so that none of its text looks like a line."""

from types import TracebackType
from typing import Any

from nova_ext.core.explanation.text_format import sanitize

#: Characters of a message.
MAX_LENGTH = 255
#: Causes of an error that are logged.
_MAX_CAUSES = 10


def describe(error: BaseException) -> str:
    """Return what an error says, in one line of limited length."""
    try:
        return sanitize(str(error)[:10 * MAX_LENGTH], MAX_LENGTH)
    except Exception:
        return '(its text can\'t be read)'


def build_exc_info(
    error: BaseException
) -> tuple[type[BaseException], BaseException, TracebackType | None]:
    """Return what ``exc_info`` of a log takes: frames, and safe messages."""
    copied = _copy(error, _MAX_CAUSES)
    return type(copied), copied, copied.__traceback__


def _copy(error: BaseException, causes: int) -> BaseException:
    """Return an error of the same name and frames, and with the causes."""
    cls: Any = type(type(error).__name__, (Exception,), {
        '__module__': type(error).__module__,
    })
    copied: BaseException = cls(describe(error))
    copied.__traceback__ = error.__traceback__
    cause = error.__cause__
    if cause is None and not error.__suppress_context__:
        cause = error.__context__
    if cause is not None and causes:
        copied.__cause__ = _copy(cause, causes - 1)
    return copied
