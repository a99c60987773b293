"""Find lines whose path names neither a class nor a function."""

import re
from collections.abc import Collection, Iterator, Sequence

from nova_ext.config_files.configuration import Value
from nova_ext.lint.checks.plugins.plugin_import import (
    BROKEN,
    NO_PLUGIN,
    OPTIONS,
)
from nova_ext.lint.subject import added_files, known_names
from nova_ext.lint.subject.finding import Kind, LintFinding
from nova_ext.lint.subject.listed_classes import is_class, is_path
from nova_ext.lint.subject.near_names import find_near
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options
from nova_ext.source_code.contract import find_contract
from nova_ext.source_code.plugin_source import AbsentError, BrokenError

#: Its kinds of finding are those of ``plugin_import``.
KINDS: tuple[Kind, ...] = ()

_NOVAS = {
    'filter': plugins_and_options.ALL_FILTERS,
    'weigher': plugins_and_options.ALL_WEIGHERS,
}
_PREFIXES = (
    f'{plugins_and_options.FILTERS_PACKAGE}.',
    f'{plugins_and_options.WEIGHERS_PACKAGE}.',
)
#: Functions that need no look at their source.
_FUNCTIONS = {
    *_NOVAS.values(), known_names.FILTERS_LINE, known_names.WEIGHERS_LINE
}


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look at each line that names no class by its form."""
    yield from _check_paths(subject, 'filter', subject.available_lines)
    yield from _check_paths(subject, 'weigher', subject.weigher_lines)


def _check_paths(
    subject: Subject, kind: str, lines: Sequence[Value]
) -> Iterator[LintFinding]:
    """Look at the lines of one option."""
    for value in lines:
        path = value.text
        # Several paths on one line are reported as such.
        if value.templated or re.search(r'[,\s]', path):
            continue
        if not is_path(path) or '.' not in path:
            yield from _check_form(subject, kind, value)
        elif not is_class(path) and path not in _FUNCTIONS:
            yield from _check_name(subject, kind, value)


def _check_form(
    subject: Subject, kind: str, value: Value
) -> Iterator[LintFinding]:
    """Report a line that is no dotted path."""
    path = value.text
    known: Collection[str] = (
        plugins_and_options.FILTERS if kind == 'filter'
        else plugins_and_options.WEIGHERS
    )
    if not path:
        yield BROKEN.at(
            value.location, 'the line has no path',
            f'write {OPTIONS[kind]} = {_NOVAS[kind]}',
        )
    elif kind == 'weigher' and '.' not in path:
        return  # another check says that it is no dotted path
    else:
        meant = path.removesuffix('.py').replace(':', '.').replace('/', '.')
        near = find_near(meant.strip('.'), subject.reader)
        if '.' not in meant:
            near = near or (_NOVAS[kind] if path in known else '')
        yield BROKEN.at(
            value.location, f'{path} is no dotted path, package.module.Class',
            f'write {near or meant}' if near or '.' in meant else '',
        )


def _check_name(
    subject: Subject, kind: str, value: Value
) -> Iterator[LintFinding]:
    """Report a path that names neither a class nor a function."""
    path = value.text
    if path in added_files.MODULES:
        named = 'module'
    elif path.startswith('nova.') and not subject.reader.finder.nova:
        return
    else:
        try:
            named = subject.reader.find_kind(path)
        except AbsentError:
            if subject.reader.finder.nova:
                yield _absent(subject, value)
            return
        except BrokenError as error:
            # Other checks know Nova's own paths.
            if error.location is None or not path.startswith(_PREFIXES):
                yield _absent(subject, value, error)
            return
    if named in ('module', 'value'):
        names = _list_classes(subject, kind, path) if named == 'module' else []
        lines = [f'{OPTIONS[kind]} = {path}.{name}' for name in names]
        if path in added_files.MODULES:
            lines = [f'{OPTIONS[kind]} = {_NOVAS[kind]}']
        what = 'a module' if named == 'module' else 'a value'
        yield NO_PLUGIN.at(
            value.location, f'{path} is {what}; Nova takes a class, or a '
            'function that returns classes', ' and '.join(
                f'write {line}' for line in lines
            ),
        )


def _absent(
    subject: Subject, value: Value, error: BrokenError | None = None
) -> LintFinding:
    near = find_near(value.text, subject.reader)
    why = error or f'no module {value.text.partition(".")[0]} is installed'
    return BROKEN.at(
        (error and error.location and error.location.line and error.location)
        or value.location, f'{value.text} can\'t be imported: {why}',
        f'write {near}' if near else '',
    )


def _list_classes(subject: Subject, kind: str, module: str) -> list[str]:
    """Return the plugins of a kind that a module defines."""
    file = subject.reader.finder.find_file(module)
    if file is None:
        return []
    try:
        subject.reader.read_module(module, file)
    except BrokenError:
        return []
    return [
        plugin.name for plugin in subject.reader.read_file(file)
        if (contract := find_contract(plugin)) and contract.kind == kind
    ]
