"""Files that kolla-ansible's container does not have."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Subject

NOT_THERE = Kind(
    'NX608', Severity.WARNING, 'a file that the container does not have',
    'kolla-ansible copies nova.conf into the container, and no other file '
    'of its overrides.',
    'put the file into an image of your own',
    '# nova/nova-scheduler.conf\n[nova_ext]\n'
    'extension_files = /etc/nova/my_filter.py',
)
KINDS = (NOT_THERE,)

#: nova-ext's options that name a file.
_FILES = ('extension_files', 'policy_file')


def run(subject: Subject) -> Iterator[Finding]:
    """Look for files that nova.conf names."""
    if subject.sources.layout != 'kolla':
        return
    for option in _FILES:
        for value in subject.configuration.values('nova_ext', option):
            yield NOT_THERE.at(
                value.place, f'[nova_ext] {option} names {value.text}'
            )
