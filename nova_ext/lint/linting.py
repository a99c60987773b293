"""Run all checks over a configuration."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nova_ext.config_files.configuration import Name, Value
from nova_ext.config_files.sources import Sources
from nova_ext.core.base.finding import Unchecked
from nova_ext.core.base.mode import Mode
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import format_hosts
from nova_ext.lint import checks
from nova_ext.lint.checks.config_files import unreached
from nova_ext.lint.checks.plugins.plugin_import import is_unchecked
from nova_ext.lint.checks.settings.hints import HintReader, list_hint_readers
from nova_ext.lint.checks.settings.modes import Need, list_needs
from nova_ext.lint.subject.finding import LintFinding
from nova_ext.lint.subject.listed_classes import is_path
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import declared_options
from nova_ext.source_code.module_finder import Finder, find_root
from nova_ext.source_code.plugin_source import Reader


@dataclass(frozen=True)
class Report:
    """Hold what lint found.

    :param findings: by file and line.
    :param unchecked: what was left out.
    :param needs: the mode that each setting needs.
    :param hints: the enabled plugins that are known to read hints.
    """

    findings: Sequence[LintFinding]
    unchecked: Sequence[Unchecked]
    needs: Sequence[Need]
    hints: Sequence[HintReader]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, as JSON has it."""
        return {
            'version': 1,
            'findings': [finding.to_dict() for finding in self.findings],
            'not_checked': [asdict(item) for item in self.unchecked],
            'needs': [
                {'setting': need.setting, 'mode': str(need.mode),
                 'file': need.location.file, 'line': need.location.line}
                for need in self.needs
            ],
            'hints': {
                reader.name: sorted(reader.hints or ())
                for reader in self.hints
            },
        }


def lint(
    sources: Sources, *, code: Sequence[str] = (),
    folders: Sequence[str] = (),
    ask_nova: bool = True, mode: Mode | None = None, hints: Sequence[str] = (),
    progress: Progress | None = None,
    expected: Mapping[Name, Value] | None = None,
) -> Report:
    """Check a configuration.

    :param code: files and folders of plugins to check, named or not by the
        configuration.
    :param folders: where plugins' sources are looked for first.
    :param ask_nova: use the Nova that is installed here, if there is one.
    :param mode: the mode in use; None if unknown.
    :param hints: scheduler hints that users send.
    :param progress: shows what takes seconds.
    :param expected: options that a deployer's files are to set.
    """
    step = progress.step if progress else contextlib.nullcontext
    folders = [*folders, *dict.fromkeys(
        str(find_root(Path(path))) for path in code
    )]
    finder = Finder(folders, use_nova=ask_nova)
    subject = Subject(
        sources, Reader(finder), mode=mode, hints=hints, code=code,
        expected=expected or {},
    )
    if finder.nova:
        with step('reading Nova\'s options'):
            subject.declared = declared_options.query_nova([
                (group, option, value.text)
                for (group, option), value in sources.configuration.settings()
            ])
    findings = dict.fromkeys(
        finding for check in checks.CHECKS for finding in check.run(subject)
    )
    order = [layer.path for layer in sources.configuration.layers]
    active = [
        reader for reader in list_hint_readers(subject)
        if reader.active and sources.configuration.layers
    ]
    return Report(
        sorted(findings, key=lambda finding: (
            order.index(finding.file) if finding.file in order else len(order),
            finding.file, finding.line, finding.id,
        )),
        [*_unchecked(subject), *_undeclared_hints(subject, active)],
        list(list_needs(subject)), [one for one in active if one.hints],
    )


def _undeclared_hints(
    subject: Subject, active: Iterable[HintReader]
) -> Iterator[Unchecked]:
    """Generate the plugins whose source does not say which hints they read."""
    absent = {plugin.name for plugin in subject.plugins if plugin.error}
    for reader in active:
        if reader.hints is None and reader.name not in absent:
            yield Unchecked(
                f'which hints {reader.name} reads',
                'hints = (\'NAME\', …) in the source of its class',
            )


def _unchecked(subject: Subject) -> Iterator[Unchecked]:
    if subject.declared is None and subject.configuration.layers:
        yield Unchecked(
            'options outside [scheduler], [filter_scheduler], [metrics] and '
            'nova-ext\'s own', 'Nova, installed beside nova-ext',
        )
    if unknown := unreached.list_unknown(subject):
        options = [f'[{group}] {option}' for group, option in unknown]
        yield Unchecked(
            f'whether {format_hosts(options)} of --expect reach nova.conf',
            'the names that options have there',
        )
    for plugin in subject.plugins:
        if is_unchecked(subject, plugin):
            yield Unchecked(
                f'the code of {plugin.dotted}', 'Nova, installed beside '
                'nova-ext' if plugin.dotted.startswith('nova.')
                else 'its package, installed here, or --plugin-path',
            )
    for value, names in (*subject.filters.lines, *subject.weighers.lines):
        if names is None and is_path(value.text):
            yield Unchecked(
                f'which classes {value.text} returns',
                'nova-ext-status upgrade check, which loads them',
            )
