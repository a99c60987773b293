"""Rules of IPScheduler."""

from collections.abc import Iterator

from nova_ext.core.base import errors
from nova_ext.core.request.address_rules import AddressRules
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Subject

MALFORMED = Kind(
    'NX604', Severity.ERROR, 'a rule of IPScheduler that can\'t be read',
    'nova-ext-scheduler does not start.',
    'write CIDR=prefix',
    '[nova_ext_ip_scheduler]\nrules = 10.1.0.0=doc,10.2/16=ops',
)
KINDS = (MALFORMED,)


def run(subject: Subject) -> Iterator[Finding]:
    """Read each rule as the driver would, then all together."""
    rules = subject.configuration.items('nova_ext_ip_scheduler', 'rules')
    good: list[str] = []
    for rule in rules:
        try:
            AddressRules([*good, rule.text], '')
        except errors.ConfigurationError as error:
            yield MALFORMED.at(rule.place, str(error))
        else:
            good.append(rule.text)
