"""Files that can't be read on, or are not read at all."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Place, Severity
from nova_ext.lint.subject.subject import Subject

UNREADABLE = Kind(
    'NX001', Severity.ERROR, 'a line that can\'t be read',
    'oslo.config refuses the whole file, so the scheduler does not start.',
    'write "option = value" below a [group]',
    '[filter_scheduler]\nenabled_filters ComputeFilter',
)
STRAY = Kind(
    'NX002', Severity.WARNING, 'a file that kolla-ansible does not read',
    'kolla-ansible merges nova.conf, nova/nova-scheduler.conf and '
    'nova/<host>/nova.conf of its configuration folder, and no other file, '
    'so nothing in this one reaches the container.',
    'move its lines to nova/nova-scheduler.conf',
    '/etc/kolla/config/nova-scheduler.conf',
)
KINDS = (UNREADABLE, STRAY)


def run(subject: Subject) -> Iterator[Finding]:
    """Report what reading the files showed."""
    for found in subject.sources.unreadable:
        yield UNREADABLE.at(found.place, found.problem)
    for path in subject.sources.strays:
        yield STRAY.at(Place(path), 'kolla-ansible does not read this file')
