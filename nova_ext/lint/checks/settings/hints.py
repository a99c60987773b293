"""Find the plugins that read scheduler hints, and hints that none reads."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nova_ext.core.request import scheduler_hints
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options
from nova_ext.source_code.plugin_source import PluginClass

UNREAD = Kind(
    'NX607', Severity.WARNING, 'a hint that no enabled plugin reads',
    'Nova accepts any hint. The server boots as if the hint had not been '
    'given.',
    'enable a filter that reads it, or tell its users',
    'nova-ext lint --hint same_host',
)
KINDS = (UNREAD,)


@dataclass(frozen=True)
class HintReader:
    """Represent a filter, weigher or driver, and the hints that it reads.

    :param hints: None: not known.
    :param active: whether the configuration enables it.
    """

    name: str
    hints: frozenset[str] | None
    active: bool


def run(subject: Subject) -> Iterator[LintFinding]:
    """Compare the hints that are sent with those that are read."""
    if not subject.hints or subject.templated:
        return
    readers = list_hint_readers(subject)
    if not _is_complete(subject, readers):
        return
    active = {
        hint for reader in readers if reader.active
        for hint in reader.hints or ()
    }
    for hint in subject.hints:
        if not scheduler_hints.is_declared(hint, active):
            yield UNREAD.at(
                subject.enabled[0].location if subject.enabled
                else subject.configuration.default_location(),
                f'no enabled filter reads the hint {hint}',
                _find_fix(hint, readers, active),
            )


def list_hint_readers(subject: Subject) -> list[HintReader]:
    """Return Nova's own plugins and the configured ones, with their hints."""
    hints = {
        name: frozenset(known.hints)
        for name, known in plugins_and_options.FILTERS.items()
    } | {
        name: frozenset(plugins_and_options.WEIGHER_HINTS.get(name, ()))
        for name in plugins_and_options.WEIGHERS
    } | {
        plugin.name: _declared_hints(plugin)
        for _, plugin, _ in subject.contracts()
    }
    active = set(_active_plugins(subject))
    return [
        HintReader(name, hints.get(name), name in active)
        for name in (*hints, *sorted(active - hints.keys()))
    ]


def _is_complete(subject: Subject, readers: Sequence[HintReader]) -> bool:
    """Say whether all active plugins and the hints they read are known."""
    return not (
        subject.weighers.opaque
        or (subject.filters.opaque and any(
            value.text not in subject.filters.names
            for value in subject.enabled
        ))
        or any(reader.active and reader.hints is None for reader in readers)
    )


def _declared_hints(plugin: PluginClass) -> frozenset[str] | None:
    """Return the hints that a class declares in its source."""
    return scheduler_hints.get_declared_hints(
        _literal(plugin.find_attribute('hints')),
        _literal(plugin.find_attribute('hint_prefix')),
    )


def _literal(written: ast.expr | None) -> object:
    """Return the value of a literal; None for any other expression."""
    try:
        return ast.literal_eval(written) if written else None
    except ValueError:
        return None


def _active_plugins(subject: Subject) -> Iterator[str]:
    """Generate the names of the classes that decide, as far as known."""
    for value in subject.enabled:
        if value.text in subject.filters.names:
            yield value.text
    yield from subject.weighers.names
    drivers = {value.text for value in subject.drivers}
    for configured in subject.plugins:
        if configured.name in drivers or configured.value.text in drivers:
            yield configured.name


def _find_fix(
    hint: str, readers: Sequence[HintReader], active: set[str]
) -> str:
    names = [
        reader.name for reader in readers
        if scheduler_hints.is_declared(hint, reader.hints or ())
    ]
    if names:
        return f'enable {" or ".join(names)}'
    meant = find_closest(hint, active)
    return f'have users write {meant}' if meant else ''
