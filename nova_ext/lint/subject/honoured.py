"""Which scheduler hints the enabled filters and weighers honour."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nova_ext.core.request import scheduler_hints
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options
from nova_ext.source_code import contract
from nova_ext.source_code.plugin_source import Plugin


@dataclass(frozen=True)
class Honoured:
    """A filter, weigher or driver, and the hints that it reads.

    :param hints: None: not known.
    :param active: whether it is asked, and not only there.
    """

    name: str
    hints: frozenset[str] | None
    active: bool


def honoured(subject: Subject) -> list[Honoured]:
    """Return who reads which hints: Nova's own, and what is brought in."""
    known = {
        name: frozenset(one.hints) for name, one in plugins_and_options.FILTERS.items()
    } | {
        name: frozenset(plugins_and_options.WEIGHER_HINTS.get(name, ()))
        for name in plugins_and_options.WEIGHERS
    } | {
        plugin.name: _declared(plugin) for plugin in _plugins(subject)
    }
    active = set(_active(subject))
    return [
        Honoured(name, known.get(name), name in active)
        for name in (*known, *sorted(active - known.keys()))
    ]


def is_complete(subject: Subject, found: Iterable[Honoured]) -> bool:
    """Return whether all is known that decides, and the hints it reads.

    :param found: what :func:`honoured` returns.
    """
    return not (
        subject.weighers.opaque
        or (subject.filters.opaque and any(
            value.text not in subject.filters.names
            for value in subject.enabled
        ))
        or any(one.active and one.hints is None for one in found)
    )


def _declared(plugin: Plugin) -> frozenset[str] | None:
    """Return the hints that a class declares in its source."""
    return scheduler_hints.declared(
        _literal(plugin.attribute('hints')),
        _literal(plugin.attribute('hint_prefix')),
    )


def _literal(written: ast.expr | None) -> object:
    """Return the value of a literal; None for what is none."""
    try:
        return ast.literal_eval(written) if written else None
    except ValueError:
        return None


def _plugins(subject: Subject) -> Iterator[Plugin]:
    for chosen in subject.plugins:
        if chosen.plugin and contract.contract(chosen.plugin):
            yield chosen.plugin


def _active(subject: Subject) -> Iterator[str]:
    """Generate the names of the classes that decide, as far as known."""
    for value in subject.enabled:
        if value.text in subject.filters.names:
            yield value.text
    yield from subject.weighers.names
    drivers = {value.text for value in subject.drivers}
    for chosen in subject.plugins:
        name = chosen.name
        if name in drivers or chosen.value.text in drivers:
            yield name
