"""Errors that nova-ext raises on purpose, each with one clear line."""

from collections.abc import Iterable
from difflib import get_close_matches


class NovaExtError(Exception):
    """Base of all errors; ``str()`` is one line for a person."""


class ConfigurationError(NovaExtError):
    """An option's value can't be used, so the service must not start.

    :param option: the option as an operator writes it,
        ``[nova_ext] scheduler_driver``.
    :param value: the value that was found.
    :param problem: what is wrong with it.
    :param remedy: what to do about it.
    """

    def __init__(
        self, option: str, value: object, problem: str, remedy: str = ''
    ) -> None:
        self.option = option
        self.value = value
        line = f'{option} = {value}: {problem}'
        super().__init__(f'{line}; {remedy}' if remedy else line)


class ExtensionError(NovaExtError):
    """A filter, weigher or driver raised while a request was scheduled.

    :param kind: ``filter``, ``weigher`` or ``driver``.
    :param name: the extension's name.
    :param error: what it raised.
    """

    def __init__(self, kind: str, name: str, error: BaseException) -> None:
        self.name = name
        super().__init__(f'{kind} {name} raised {type(error).__name__}')


class UnsupportedMethodError(NovaExtError):
    """A driver was asked for a method that its topic does not have."""


class ExtensionFileError(NovaExtError):
    """A plain file can't be run, or defines no extension."""


class RecordError(NovaExtError):
    """A decision record can't be read, or holds no such decision."""


def available(name: str, names: Iterable[str]) -> str:
    """Say which names there are, the likely one first.

    :param name: the name that was not found.
    :param names: the names that exist.
    :returns: ``did you mean X? available: A, B, X``.
    """
    known = sorted(names)
    close = get_close_matches(name, known, n=1, cutoff=0.8)
    hint = f'did you mean {close[0]}? ' if close else ''
    return f'{hint}available: {", ".join(known) or "none"}'
