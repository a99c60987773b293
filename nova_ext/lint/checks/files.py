"""Find files that can't be read, are not read, or don't reach the service."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Location, Severity
from nova_ext.lint.subject.subject import Subject

UNREADABLE = Kind(
    'NX001', Severity.ERROR, 'a line that can\'t be read',
    'oslo.config refuses the whole file, so the scheduler does not start.',
    'write "option = value" below a [group]',
    '[filter_scheduler]\nenabled_filters ComputeFilter',
)
IGNORED = Kind(
    'NX002', Severity.WARNING, 'a file that kolla-ansible does not read',
    'kolla-ansible merges global.conf, nova.conf, nova/nova-scheduler.conf '
    'and nova/<host>/nova.conf of its configuration folder. It reads no '
    'other file, so nothing in this one reaches the container.',
    'move its lines to nova/nova-scheduler.conf',
    '/etc/kolla/config/nova-scheduler.conf',
)
NOT_IN_CONTAINER = Kind(
    'NX608', Severity.WARNING, 'a file that the container does not have',
    'kolla-ansible copies nova.conf into the container, and no other file '
    'of its overrides.',
    'put the file into an image of your own',
    '# nova/nova-scheduler.conf\n[nova_ext]\n'
    'extension_files = /etc/nova/my_filter.py',
)
KINDS = (UNREADABLE, IGNORED, NOT_IN_CONTAINER)

#: nova-ext's options that name a file.
_FILE_OPTIONS = ('extension_files', 'policy_file')


def run(subject: Subject) -> Iterator[Finding]:
    """Report what reading the files showed, and the files they name."""
    for line in subject.sources.unreadable:
        yield UNREADABLE.at(line.location, line.problem)
    for path in subject.sources.ignored_files:
        yield IGNORED.at(
            Location(path), 'kolla-ansible does not read this file'
        )
    if subject.sources.layout == 'kolla':
        for option in _FILE_OPTIONS:
            for value in subject.configuration.values('nova_ext', option):
                yield NOT_IN_CONTAINER.at(
                    value.location, f'[nova_ext] {option} names {value.text}'
                )
