"""Find settings that need more of nova-ext than runs."""

from collections.abc import Iterator

from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.needs import needs
from nova_ext.lint.subject.subject import Subject

OUT_OF_REACH = Kind(
    'NX605', Severity.ERROR, 'a setting that what runs does not read',
    'It is ignored without a word: a stock nova-scheduler, for instance, '
    'knows no drivers.',
    'start nova-ext-scheduler in place of nova-scheduler, or remove the '
    'setting',
    '[nova_ext]\nscheduler_driver = IPScheduler',
)
NEEDS_SCHEDULER = Kind(
    'NX606', Severity.INFO, 'a setting that needs nova-ext-scheduler',
    'A stock nova-scheduler ignores it without a word. --mode scheduler '
    'tells lint that nova-ext-scheduler runs.',
    'start nova-ext-scheduler in place of nova-scheduler',
    '[nova_ext]\nscheduler_driver = IPScheduler',
)
KINDS = (OUT_OF_REACH, NEEDS_SCHEDULER)

_KOLLA = (
    'build an image whose nova-scheduler command is nova-ext-scheduler: the '
    'stock container\'s command is fixed'
)


def run(subject: Subject) -> Iterator[Finding]:
    """Compare the mode each setting needs with the one in use."""
    fix = _KOLLA if subject.sources.layout == 'kolla' else ''
    for need in needs(subject):
        what = f'{need.setting} needs {need.mode} mode'
        if subject.mode is not None and not subject.mode.includes(need.mode):
            yield OUT_OF_REACH.at(need.place, what, fix)
        elif subject.mode is None and need.mode is Mode.SCHEDULER:
            yield NEEDS_SCHEDULER.at(need.place, what, fix)
