"""Examine a cloud: run every check, and gather the findings."""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.doctor.check import DoctorCheck, DoctorFinding, NotRunError
from nova_ext.doctor.cloud import SERVICES
from nova_ext.doctor.facts import CloudFacts

#: Effect of a service that does not answer, by service type.
_EFFECTS = {'placement': 'Without it no server is scheduled.'}
#: Finding that explains errors of an API, by service type.
_CAUSES = {'compute': 'cell-silent'}


@dataclass
class Examination:
    """Hold the result of an examination.

    :param findings: the worst first.
    :param unchecked: names of checks, with what they did not look at.
    :param passed: checks that looked at everything and found nothing.
    :param requests: number of requests by service type.
    """

    findings: list[DoctorFinding] = field(default_factory=list)
    unchecked: list[tuple[str, Unchecked]] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    requests: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        return {
            'version': 1,
            'findings': [finding.to_dict() for finding in self.findings],
            'not_checked': [
                {'check': name, **asdict(gap)} for name, gap in self.unchecked
            ],
            'passed': self.passed,
            'requests': self.requests,
            'seconds': round(self.seconds, 3),
        }


def examine(facts: CloudFacts, checks: Iterable[DoctorCheck]) -> Examination:
    """Run checks; one that can't run prevents none of the others.

    :raises NovaExtError: when not even the services can be read.
    """
    examination = Examination()
    began = time.monotonic()
    # If these can't be read, nothing can: no administrator, or no cloud.
    _ = facts.services
    silent: dict[str, NotRunError] = {}
    for check in checks:
        findings: list[DoctorFinding] = []
        unchecked: list[Unchecked] = []
        try:
            for each in check.run(facts):
                if isinstance(each, Unchecked):
                    unchecked.append(each)
                else:
                    findings.append(each)
        except NotRunError as error:
            unchecked.append(error.unchecked)
            if error.silent:
                silent.setdefault(error.silent, error)
        examination.findings += findings
        examination.unchecked += [(check.name, gap) for gap in unchecked]
        if not findings and not unchecked:
            examination.passed.append(check.name)
    named = {finding.id for finding in examination.findings}
    examination.findings += [
        DoctorFinding(
            'api-silent', Severity.ERROR, error.unchecked.what,
            _EFFECTS.get(service, 'What it would show is not checked.'),
            f'See the log of {service} and of what stands before it.',
        ) for service, error in silent.items()
        # Ours answers so, too, where it lacks a scheduler to ask.
        if service in SERVICES and _CAUSES.get(service) not in named
    ]
    examination.findings.sort(key=lambda each: -each.severity)
    examination.requests = dict(facts.cloud.requests)
    examination.seconds = time.monotonic() - began
    return examination
