"""Settings that need more of nova-ext than is in place."""

from collections.abc import Iterator

from nova_ext.lint.finding import Finding, Kind, Severity
from nova_ext.lint.needs import needs
from nova_ext.lint.subject import Subject

OUT_OF_REACH = Kind(
    'NX605', Severity.ERROR, 'a setting of a higher rung than is in place',
    'What runs does not read it, without a word: the stock nova-scheduler '
    'knows no drivers.',
    'start nova-ext-scheduler in place of nova-scheduler, or remove the '
    'setting',
    '[nova_ext]\nscheduler_driver = IPScheduler',
)
NEEDS_SCHEDULER = Kind(
    'NX606', Severity.INFO, 'a setting that needs nova-ext-scheduler',
    'A stock nova-scheduler ignores it without a word. --rung 2 tells lint '
    'that nova-ext-scheduler runs.',
    'start nova-ext-scheduler in place of nova-scheduler',
    '[nova_ext]\nscheduler_driver = IPScheduler',
)
KINDS = (OUT_OF_REACH, NEEDS_SCHEDULER)

_KOLLA = (
    'build an image whose nova-scheduler command is nova-ext-scheduler: the '
    'stock container\'s command is fixed'
)


def run(subject: Subject) -> Iterator[Finding]:
    """Compare the rung of each setting with the one that is in place."""
    fix = _KOLLA if subject.sources.layout == 'kolla' else ''
    for need in needs(subject):
        what = f'{need.setting} needs rung {need.rung}'
        if subject.rung is not None and need.rung > subject.rung:
            yield OUT_OF_REACH.at(need.place, what, fix)
        elif subject.rung is None and need.rung == 2:
            yield NEEDS_SCHEDULER.at(need.place, what, fix)
