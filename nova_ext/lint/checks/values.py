"""Values that an option does not take."""

from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject import known_options
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options

REFUSED = Kind(
    'NX404', Severity.ERROR, 'a value that the option does not take',
    'oslo.config raises ConfigFileValueError where the option is read: the '
    'scheduler does not start, or fails requests.',
    'write a value that it takes',
    '[scheduler]\nmax_attempts = 0',
)
KINDS = (REFUSED,)


def run(subject: Subject) -> Iterator[Finding]:
    """Try every value that counts or might."""
    for (group, option), value in subject.configuration.settings():
        if '$' in value.text or value.templated:
            continue
        problem = _problem(subject, group, option, value)
        if problem:
            yield REFUSED.at(
                value.place, f'[{group}] {option}: {problem}'
            )


def _problem(
    subject: Subject, group: str, option: str, value: Value
) -> str:
    taken = plugins_and_options.OPTIONS.get(group, {}).get(option)
    own = known_options.own().get(group, {}).get(option)
    type_ = own.type if own else taken
    if type_ is not None:
        try:
            type_(value.text)
        except ValueError as error:
            return ' '.join(str(error).split())
    if subject.declared:
        return subject.declared.refused.get((group, option, value.text), '')
    return ''
