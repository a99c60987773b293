"""Find files that can't be read, are not read, or don't reach the service."""

from collections.abc import Iterator, Sequence
from shlex import quote

from nova_ext.config_files import ini
from nova_ext.lint.subject import known_names
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.subject import Subject

UNREADABLE = Kind(
    'NX001', Severity.ERROR, 'a line that can\'t be read',
    'oslo.config refuses the whole file, so the scheduler does not start. '
    'Of local.conf, devstack leaves out what stands below the line.',
    'write "option = value" below a [group]',
    '[filter_scheduler]\nenabled_filters ComputeFilter',
)
IGNORED = Kind(
    'NX002', Severity.WARNING, 'a file or section that nothing reads',
    'kolla-ansible merges global.conf, nova.conf, nova/nova-scheduler.conf '
    'and nova/<host>/nova.conf of its configuration folder. '
    'OpenStack-Ansible reads user_*.yml, oslo.config the *.conf of a folder, '
    'and devstack the sections of its phases. Nothing in another place '
    'reaches the scheduler.',
    'move it to where it is read',
    '/etc/kolla/config/nova-scheduler.conf',
)
NOT_IN_CONTAINER = Kind(
    'NX608', Severity.WARNING, 'a file that the container does not have',
    'kolla-ansible copies nova.conf into the container, and no other file '
    'of its overrides.',
    'put the file into an image of your own',
    '# nova/nova-scheduler.conf\n[nova_ext]\n'
    'plugin_files = /etc/nova/my_filter.py',
)
KINDS = (UNREADABLE, IGNORED, NOT_IN_CONTAINER)

#: nova-ext's options that name a file.
_FILE_OPTIONS = ('plugin_files', 'policy_file')


def run(subject: Subject) -> Iterator[LintFinding]:
    """Report what reading the files showed, and the files they name."""
    for layer in subject.configuration.layers:
        for line in layer.unreadable:
            fix = line.fix
            if line.problem == ini.GROUPLESS:
                group = _find_group(subject, layer.groupless)
                fix = (
                    f'sed -i \'{line.location.line}i [{group}]\' '
                    f'{quote(layer.path)}'
                )
            yield UNREADABLE.at(line.location, line.problem, fix)
    for one in subject.sources.ignored:
        yield IGNORED.at(one.location, one.what, one.fix)
    if subject.sources.layout == 'kolla':
        for option in _FILE_OPTIONS:
            for value in subject.configuration.values('nova_ext', option):
                yield NOT_IN_CONTAINER.at(
                    value.location, f'[nova_ext] {option} names {value.text}'
                )


def _find_group(subject: Subject, options: Sequence[str]) -> str:
    """Return the group that has most of some options."""
    names = known_names.list_options(subject.declared)
    return max(
        ('DEFAULT', *sorted(names.keys() - {'DEFAULT'})),
        key=lambda group: len(names.get(group, set()).intersection(options)),
    )
