"""Which rung of nova-ext each setting needs."""

from collections.abc import Iterator
from dataclasses import dataclass

from nova_ext import conf
from nova_ext.lint import known
from nova_ext.lint.finding import Place
from nova_ext.lint.installed import FILTERS_LINE, WEIGHERS_LINE
from nova_ext.lint.subject import Subject


@dataclass(frozen=True)
class Need:
    """A setting and its rung.

    :param rung: 1: the package beside a stock nova-scheduler; 2:
        nova-ext-scheduler in its place.
    """

    setting: str
    rung: int
    place: Place


def needs(subject: Subject) -> Iterator[Need]:
    """The settings that need nova-ext, in the order of the files."""
    for (group, option), value in subject.configuration.settings():
        if option in known.own().get(group, {}):
            yield Need(
                f'[{group}] {option}', conf.rung(group, option), value.place
            )
        elif (group, option) in (
            ('filter_scheduler', 'available_filters'),
            ('filter_scheduler', 'weight_classes'),
        ):
            for item in value.items():
                if item.text in (FILTERS_LINE, WEIGHERS_LINE):
                    yield Need(
                        f'[{group}] {option} = {item.text}', 1, item.place
                    )
