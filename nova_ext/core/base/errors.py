"""Define the errors that nova-ext raises on purpose, one clear line each."""

from collections.abc import Iterable
from difflib import get_close_matches

#: What a plugin fails with. Outside of one, nobody would answer a request
#: that ``sys.exit()`` ended. greenlet's GreenletExit and eventlet's Timeout,
#: which end what runs from outside, are not among them.
FAILURES = (Exception, SystemExit, KeyboardInterrupt, GeneratorExit)


class NovaExtError(Exception):
    """Serve as base of all errors; ``str()`` is one line for a person."""


class ConfigurationError(NovaExtError):
    """Report an option whose value can't be used; the service must not start.

    :param option: the option as operators write it, ``[nova_ext] record``.
    :param problem: what is wrong with the value.
    :param remedy: what to do about it.
    """

    def __init__(
        self, option: str, value: object, problem: str, remedy: str = ''
    ) -> None:
        line = f'{option} = {value}: {problem}'
        super().__init__(f'{line}; {remedy}' if remedy else line)


class PluginError(NovaExtError):
    """Report a filter, weigher or driver that raised during a request.

    :param kind: ``filter``, ``weigher`` or ``driver``.
    :param name: the plugin's name.
    :param error: the exception that it raised.
    """

    def __init__(self, kind: str, name: str, error: BaseException) -> None:
        super().__init__(f'{kind} {name} raised {type(error).__name__}')


class UnsupportedMethodError(NovaExtError):
    """Report a plugin without the method that it must have."""


class PluginFileError(NovaExtError):
    """Report a plain file that can't be run, or defines no plugin."""


class RecordError(NovaExtError):
    """Report a record that can't be read, or lacks the decision."""


class NoDecisionError(RecordError):
    """Report that there is no decision about a server or a request."""


def suggest_names(name: str, names: Iterable[str]) -> str:
    """Return ``did you mean X? available: A, B, X``.

    :param name: the name that does not exist.
    :param names: the names that exist.
    """
    known = sorted(names)
    close = get_close_matches(name, known, n=1, cutoff=0.8)
    hint = f'did you mean {close[0]}? ' if close else ''
    return f'{hint}available: {", ".join(known) or "none"}'
