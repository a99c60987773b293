"""Settings of old guides, which nobody reads any more."""

from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_names

OLD = Kind(
    'NX401', Severity.ERROR, 'an option that Nova no longer reads',
    'Nova ignores it without a word, and does what its default says: a '
    'filter that only this line enables does not filter.',
    'remove it',
    '[DEFAULT]\nscheduler_default_filters = ComputeFilter,SameHostFilter',
)
VARIABLE = Kind(
    'NX405', Severity.ERROR, 'a variable that the deployment tool ignores',
    'The tool does not write it to nova.conf, so it has no effect.',
    'write the option in nova.conf\'s own name',
    '[[local|localrc]]\nNOVA_FILTERS=ComputeFilter,GpuFilter',
)
KINDS = (OLD, VARIABLE)

_DEVSTACK = (
    'devstack sets NOVA_FILTERS itself after it has read local.conf'
)


def run(subject: Subject) -> Iterator[Finding]:
    """Look up every setting."""
    for (group, option), value in subject.configuration.settings():
        gone = removed_names.option(group, option)
        if gone:
            yield OLD.at(
                value.place, f'[{group}] {option} is not read since '
                f'{gone.release}', f'{gone.instead}{_without(value)}',
            )
    for layer in subject.configuration.layers:
        for name, value in layer.variables.items():
            if name == 'NOVA_FILTERS':
                yield VARIABLE.at(
                    value.place, _DEVSTACK, 'write [filter_scheduler] '
                    'enabled_filters below [[post-config|$NOVA_CONF]]',
                )
            elif name in removed_names.ANSIBLE_VARIABLES:
                yield VARIABLE.at(
                    value.place, f'the role os_nova does not read {name}',
                    'write the option in nova_nova_conf_overrides',
                )


def _without(value: Value) -> str:
    """The filters in an old list that are gone as well."""
    removed = [
        item.text for item in value.items()
        if item.text in removed_names.FILTERS
    ]
    return f', without {", ".join(removed)}' if removed else ''
