"""Report a plugin that fails, at the start or in a request."""

import contextlib
import logging
from collections.abc import Iterator

from nova import exception

from nova_ext.core.base import errors
from nova_ext.scheduler.base import printable_error
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.cycle import cycle

LOG = logging.getLogger(__name__)


@contextlib.contextmanager
def starting(option: str, name: str) -> Iterator[None]:
    """Name the plugin that is started inside, if it fails.

    :param option: what brings it, as an operator writes it.
    :param name: the plugin's name there.
    :raises ConfigurationError: for whatever is raised inside.
    """
    try:
        yield
    except errors.ConfigurationError:
        raise
    except (Exception, SystemExit) as error:
        raise errors.ConfigurationError(
            option, name, f'does not start: {describe(error)}'
        ) from error


def describe(error: BaseException) -> str:
    """Return what kind of error it is, and its message, in one line.

    oslo.utils's import_class puts a traceback into its message.
    """
    cause = error.__context__
    by_name = isinstance(error, ImportError) and (
        isinstance(cause, AttributeError)
    )
    text = f'{type(error).__name__}: {cause if by_name else error}'
    return text.strip().splitlines()[0]


@contextlib.contextmanager
def running(kind: str, name: str) -> Iterator[None]:
    """Name the plugin that runs inside, if it raises.

    :raises NoValidHost: see :func:`report_failure`.
    """
    try:
        yield
    except errors.FAILURES as error:
        raise report_failure(kind, name, error) from error


def report_failure(kind: str, name: str, error: BaseException) -> Exception:
    """Log what a plugin raised, and add its name to the trace.

    :param kind: ``filter``, ``weigher`` or ``driver``.
    :param error: what it raised; it goes to the log, not to the user.
    :returns: a NoValidHost that names the plugin, to raise.
    """
    return exception.NoValidHost(reason=_report(kind, name, error))


@best_effort
def note_failure(kind: str, name: str, error: BaseException) -> None:
    """Report what a filter or weigher of whatever package raised.

    :param error: what it raised; of a plugin of ours that is the
        NoValidHost of :func:`report_failure`, which is reported already.
    """
    cause = error.__cause__
    if cause is None or _describe(kind, name, cause) not in str(error):
        _report(kind, name, error)


def _report(kind: str, name: str, error: BaseException) -> str:
    message = _describe(kind, name, error)
    LOG.error('%s', message, exc_info=(
        printable_error.build_exc_info(error)
    ))
    open_trace = cycle.get_trace()
    if open_trace is not None:
        open_trace.fail(message, printable_error.describe(error))
    return message


def _describe(kind: str, name: str, error: BaseException) -> str:
    return str(errors.PluginError(kind, name, error))
