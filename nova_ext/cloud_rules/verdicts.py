"""Judge the rules of a file, one after the other."""

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.kinds import (
    aggregates,
    filters,
    fits,
    multipliers,
    passes,
)
from nova_ext.cloud_rules.rules_file import CloudRule
from nova_ext.core.base.errors import NovaExtError

KINDS: dict[str, ModuleType] = {
    kind.KEY: kind for kind in (passes, fits, filters, multipliers, aggregates)
}
SCHEMAS = {key: kind.SCHEMA for key, kind in KINDS.items()}


class RuleState(enum.StrEnum):
    """Say whether a rule holds."""

    HOLDS = 'holds'
    FAILS = 'fails'
    UNKNOWN = 'not known'


@dataclass(frozen=True)
class RuleVerdict:
    """Represent what became of a rule.

    :param why: what is otherwise than the rule says, or why it is not known;
        empty where it holds.
    """

    rule: CloudRule
    answer: RuleState
    why: str = ''

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            'rule': self.rule.name, 'answer': str(self.answer),
            'why': self.why, 'file': self.rule.location.file,
            'line': self.rule.location.line,
        }


def judge(
    rules: Iterable[CloudRule], cloud: JudgedCloud
) -> Iterator[RuleVerdict]:
    """Generate a verdict for each rule; one that fails ends nothing."""
    for rule in rules:
        try:
            why = KINDS[rule.key].judge(rule, cloud)
        except NovaExtError as error:
            yield RuleVerdict(rule, RuleState.UNKNOWN, str(error))
        else:
            yield RuleVerdict(
                rule, RuleState.FAILS if why else RuleState.HOLDS, why
            )
