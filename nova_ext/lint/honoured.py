"""Which scheduler hints the enabled filters and weighers honour."""

from dataclasses import dataclass

from nova_ext.lint import nova_facts
from nova_ext.lint.code import contract, hints
from nova_ext.lint.subject import Subject


@dataclass(frozen=True)
class Honoured:
    """A filter, weigher or driver, and the hints that it reads.

    :param active: whether it is asked, and not only there.
    """

    name: str
    hints: frozenset[str]
    active: bool


def honoured(subject: Subject) -> list[Honoured]:
    """Who reads which hints; those who read none are left out."""
    enabled = {value.text for value in subject.enabled}
    found = [
        Honoured(name, frozenset(known.hints), name in enabled)
        for name, known in nova_facts.FILTERS.items() if known.hints
    ]
    found += [
        Honoured(name, frozenset(names), name in subject.weighers.names)
        for name, names in nova_facts.WEIGHER_HINTS.items()
    ]
    for chosen in subject.plugins:
        known = contract.contract(chosen.plugin) if chosen.plugin else None
        if chosen.plugin is None or known is None:
            continue
        read = hints.honoured(chosen.plugin, subject.reader)
        if read:
            name = chosen.plugin.name
            active = known.kind != 'filter' or name in enabled
            found.append(Honoured(name, frozenset(read), active))
    return found
