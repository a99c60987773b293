"""A cloud's examination: every check in turn, and what it came to."""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from nova_ext.core.base.finding import Unchecked
from nova_ext.doctor.check import Check, Finding, NotRunError
from nova_ext.doctor.facts import Facts


@dataclass
class Examination:
    """What an examination came to.

    :param findings: the worst first.
    :param unchecked: by check, what was not looked at.
    :param passed: checks that looked at everything and found nothing.
    :param requests: how many, by service type.
    :param seconds: how long it took.
    """

    findings: list[Finding] = field(default_factory=list)
    unchecked: list[tuple[str, Unchecked]] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    requests: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return {
            'version': 1,
            'findings': [found.to_dict() for found in self.findings],
            'not_checked': [
                {'check': name, **asdict(one)} for name, one in self.unchecked
            ],
            'passed': self.passed,
            'requests': self.requests,
            'seconds': round(self.seconds, 3),
        }


def examine(facts: Facts, checks: Iterable[Check]) -> Examination:
    """Run checks; one that can't be run keeps none of the others from it.

    :raises NovaExtError: when not even the services can be read.
    """
    made = Examination()
    began = time.monotonic()
    # Who can't read these is no administrator, or the cloud is away.
    _ = facts.services
    for check in checks:
        findings: list[Finding] = []
        unchecked: list[Unchecked] = []
        try:
            for each in check.run(facts):
                if isinstance(each, Unchecked):
                    unchecked.append(each)
                else:
                    findings.append(each)
        except NotRunError as error:
            unchecked.append(error.unchecked)
        made.findings += findings
        made.unchecked += [(check.name, unchecked) for unchecked in unchecked]
        if not findings and not unchecked:
            made.passed.append(check.name)
    made.findings.sort(key=lambda each: -each.severity)
    made.requests = dict(facts.cloud.requests)
    made.seconds = time.monotonic() - began
    return made
