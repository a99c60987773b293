"""Check that all schedulers decide alike."""

import re
from collections.abc import Mapping
from typing import Any

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.configuration import Options
from nova_ext.doctor.facts import CloudFacts
from nova_ext.record.summary import Summary

#: Groups that say how to schedule; of [DEFAULT] the options below.
_GROUPS = re.compile(r'scheduler|filter_scheduler|metrics|nova_ext(_\w+)?')
_DEFAULT = ('service_down_time',)
#: What may differ between hosts: it does not change what is decided.
_NOT = re.compile(r'\[(nova_ext_record\] .*|scheduler\] workers)')
_SECRET = re.compile(r'pass|secret|token|key|url|connection', re.IGNORECASE)

#: Fields of a decision's maker that must be the same everywhere.
_MADE_BY = ('mode', 'driver', 'nova', 'nova_ext')


def check(facts: CloudFacts) -> Results:
    """Compare the files of schedulers, and what made their decisions."""
    configuration = facts.configuration
    if configuration.files:
        for name, options in configuration.others.items():
            yield from _compare(configuration.options, name, options)
    yield from _makers(facts)
    hosts = {
        service.host for service in facts.services
        if service.binary == 'nova-scheduler'
    }
    seen = bool(configuration.files) + len(configuration.others)
    if len(hosts) > max(seen, 1):
        yield Unchecked(
            f'the configuration of {len(hosts) - seen} of {len(hosts)} '
            f'schedulers, which no API shows',
            'copies of their nova.conf: --config-file for one, '
            '--other-config for each other',
        )


def _compare(
    ours: Options, name: str, theirs: Options
) -> Results:
    mine, others = _relevant(ours), _relevant(theirs)
    differing = [
        f'{option}: {_shown(option, mine)} here, {_shown(option, others)} '
        f'there'
        for option in sorted(mine.keys() | others.keys())
        if mine.get(option) != others.get(option)
    ]
    if differing:
        yield DoctorFinding(
            'schedulers-differ', Severity.WARNING,
            f'{pluralize(len(differing), "option")} unlike in two schedulers',
            'Which scheduler takes a request is chance, so the same request '
            'ends in different ways.',
            'Give all schedulers the same files.',
            f'{name}: {"; ".join(differing)}',
        )


def _relevant(options: Options) -> dict[str, tuple[str, ...]]:
    return {
        f'[{group}] {name}': tuple(map(_normal, values))
        for (group, name), values in options.items()
        if (_GROUPS.fullmatch(group)
            or (group == 'DEFAULT' and name in _DEFAULT))
        and not _NOT.fullmatch(f'[{group}] {name}')
    }


def _normal(value: str) -> str:
    """Return a value without the blanks that make no difference."""
    return ','.join(part.strip() for part in re.split(r'[,\n]', value))


def _shown(option: str, options: Mapping[str, tuple[str, ...]]) -> str:
    values = options.get(option)
    if values is None:
        return 'not set'
    if _SECRET.search(option):
        return 'another value'
    return sanitize(' and '.join(values), 120) or 'empty'


def _makers(facts: CloudFacts) -> Results:
    makers: dict[str, dict[str, Any]] = {}
    for summary in facts.records.values():
        if isinstance(summary, Summary):
            makers |= summary.makers
    values = {
        host: tuple(str(by.get(name, '')) for name in _MADE_BY)
        for host, by in makers.items()
    }
    if len(set(values.values())) > 1:
        yield DoctorFinding(
            'versions-differ', Severity.WARNING,
            f'{len(makers)} schedulers of unlike versions or drivers',
            'Which scheduler takes a request is chance, so the same request '
            'ends in different ways.',
            'Bring all schedulers to the same versions and to the same '
            '[nova_ext] scheduler_driver.',
            '; '.join(
                f'{sanitize(host)}: {mode} mode, {sanitize(driver)}, nova '
                f'{sanitize(nova)}, nova-ext {sanitize(ours)}'
                for host, (mode, driver, nova, ours) in sorted(values.items())
            ),
        )
