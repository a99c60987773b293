"""Find the mode of nova-ext that each setting needs."""

from collections.abc import Iterator
from dataclasses import dataclass

from nova_ext import conf
from nova_ext.core.base.finding import Place
from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject import known_options
from nova_ext.lint.subject.installed import FILTERS_LINE, WEIGHERS_LINE
from nova_ext.lint.subject.subject import Subject


@dataclass(frozen=True)
class Need:
    """Represent a setting and the mode it needs."""

    setting: str
    mode: Mode
    place: Place


def needs(subject: Subject) -> Iterator[Need]:
    """Yield the settings that need nova-ext, in the order of the files."""
    for (group, option), value in subject.configuration.settings():
        if option in known_options.own().get(group, {}):
            yield Need(
                f'[{group}] {option}', conf.mode(group, option), value.place
            )
        elif (group, option) in (
            ('filter_scheduler', 'available_filters'),
            ('filter_scheduler', 'weight_classes'),
        ):
            for item in value.items():
                if item.text in (FILTERS_LINE, WEIGHERS_LINE):
                    yield Need(
                        f'[{group}] {option} = {item.text}', Mode.PLUGIN,
                        item.place,
                    )
