"""Find lines that oslo.config reads otherwise than they look."""

import re
from collections.abc import Iterator
from shlex import quote

from nova_ext.config_files.configuration import Value
from nova_ext.lint.checks.settings import enabled_filters, weight_classes
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import find_closest, list_options
from nova_ext.lint.subject.notation import Misread, Misreading
from nova_ext.lint.subject.subject import Subject

CONTINUED = Kind(
    'NX004', Severity.ERROR, 'a line that continues the one above it',
    'A line that begins with a blank or a tab belongs to the value above it, '
    'whatever it says. Options, groups and comments begin at the left edge.',
    'begin it at the left edge',
    '[filter_scheduler]\nenabled_filters = ComputeFilter\n'
    '    host_subset_size = 3',
)
COMMENT = Kind(
    'NX005', Severity.ERROR, 'a comment behind a value',
    'oslo.config knows comments only as lines of their own. Behind a value '
    'the text belongs to the value.',
    'put the comment on a line of its own',
    '[scheduler]\nmax_attempts = 3  # was 5',
)
UNDEFINED = Kind(
    'NX006', Severity.ERROR, 'a $ that stands for no option',
    'oslo.config replaces $name by the value of the option of that name. '
    'Where there is none, reading the option raises NoSuchOptError, which '
    'may blame the option itself. $$ stands for one $.',
    'write $$ for each $ that stands for itself',
    '[placement]\npassword = pa$word',
)
SIGN = Kind(
    'NX007', Severity.ERROR, 'a sign that becomes part of a value',
    'oslo.config takes quotes and brackets in a list, semicolons and dots '
    'literally. The items of a list stand between commas alone. With another '
    'sign the scheduler finds no such name, number or address.',
    'write only values, and commas between them',
    '[filter_scheduler]\nenabled_filters = [ComputeFilter; SameHostFilter]',
)
KINDS = (CONTINUED, COMMENT, UNDEFINED, SIGN)

_KINDS = {
    Misreading.CONTINUED: CONTINUED, Misreading.COMMENT: COMMENT,
    Misreading.SIGN: SIGN,
}
_NAME = re.compile(r'(?<![$\\])(?:\$\$)*\$\{?(?P<name>[A-Za-z_][.\w]*)')
#: User and password of a URL.
_USER = re.compile(r'://[^/]*@')
_SECRET = re.compile(r'password|secret|transport_url|connection$')
# A $ before a name that no other $ or backslash stands before.
_SED = r's/(^|[^$\\])\$([A-Za-z_{])/\1$$\2/g'


def run(subject: Subject) -> Iterator[LintFinding]:
    """Report what is misread, and each $ that stands for no option."""
    for one in subject.misread:
        yield _KINDS[one.kind].at(
            one.location, one.what, _correct_names(subject, one)
        )
    for (group, option), value in subject.configuration.settings():
        if '$' in value.text and not value.templated:
            yield from _check_names(subject, group, option, value)


def _correct_names(subject: Subject, misread: Misread) -> str:
    """Return the fix, with names that other findings of the line correct."""
    for option, rewrite in (
        ('enabled_filters', enabled_filters.rewrite),
        ('weight_classes', weight_classes.rewrite),
    ):
        value = subject.configuration.last('filter_scheduler', option)
        if misread.fix.startswith(f'write {option} = ') and (
            value and value.location == misread.location
        ):
            return rewrite(subject) or misread.fix
    return misread.fix


def _check_names(
    subject: Subject, group: str, option: str, value: Value
) -> Iterator[LintFinding]:
    is_secret = bool(_SECRET.search(option)) or (
        subject.declared is not None
        and (group, option) in subject.declared.secret
    )
    if subject.declared:
        undefined = subject.declared.undefined.get(
            (group, option, value.text), []
        )
    else:
        # Without Nova's options only this is known: they name no password.
        places = _USER.findall(value.text)
        if is_secret and '://' not in value.text:
            places = [value.text]
        undefined = [
            match['name'] for place in places
            for match in _NAME.finditer(place)
        ]
    if not undefined:
        return
    where = value.location
    literal = (
        f'sed -i -E \'{where.line}{_SED}\' {quote(where.file)}'
    )
    if is_secret or _USER.search(value.text):
        yield UNDEFINED.at(
            where, f'[{group}] {option} has a $ that stands for no option',
            literal,
        )
        return
    names = list_options(subject.declared)
    for name in undefined:
        meant = find_closest(name, {
            *names.get('DEFAULT', ()), *names.get(group, ())
        } - {option})
        yield UNDEFINED.at(
            where, f'[{group}] {option}: ${name} stands for ' + (
                'the option itself' if name == option else 'no option'
            ),
            f'write {option} = {value.text.replace(name, meant, 1)}'
            if meant else literal,
        )
