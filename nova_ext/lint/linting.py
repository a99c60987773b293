"""Runs all checks over a configuration."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nova_ext.config_files.sources import Sources
from nova_ext.core.base.finding import Unchecked
from nova_ext.core.base.mode import Mode
from nova_ext.core.base.progress import Progress
from nova_ext.lint import checks
from nova_ext.lint.checks.plugin_import import unchecked
from nova_ext.lint.subject import honoured, needs, plugin_loading
from nova_ext.lint.subject.brought import is_path
from nova_ext.lint.subject.finding import Finding
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import declared_options
from nova_ext.source_code.module_finder import Finder
from nova_ext.source_code.plugin_source import Reader


@dataclass(frozen=True)
class Report:
    """What lint found.

    :param findings: by file and line.
    :param unchecked: what was left out.
    :param needs: the mode that each setting needs.
    :param hints: who honours which scheduler hints, the enabled ones alone;
        who honours none, or is not known to, is left out.
    """

    findings: Sequence[Finding]
    unchecked: Sequence[Unchecked]
    needs: Sequence[needs.Need]
    hints: Sequence[honoured.Honoured]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return {
            'version': 1,
            'findings': [one.to_dict() for one in self.findings],
            'not_checked': [asdict(one) for one in self.unchecked],
            'needs': [
                {'setting': one.setting, 'mode': str(one.mode),
                 'file': one.place.file, 'line': one.place.line}
                for one in self.needs
            ],
            'hints': {
                one.name: sorted(one.hints or ()) for one in self.hints
            },
        }


def lint(
    sources: Sources, *, folders: Sequence[str] = (), load: bool = False,
    ask_nova: bool = True, mode: Mode | None = None, hints: Sequence[str] = (),
    progress: Progress | None = None,
) -> Report:
    """Check a configuration.

    :param folders: where plugins' sources are looked for first.
    :param load: run the plugins' code, in a child process.
    :param ask_nova: use the Nova that is installed here, if there is one.
    :param mode: the mode in use; None if unknown.
    :param hints: scheduler hints that users send.
    :param progress: shows what takes seconds.
    """
    step = progress.step if progress else contextlib.nullcontext
    finder = Finder(folders, use_nova=ask_nova)
    subject = Subject(sources, Reader(finder), mode=mode, hints=hints)
    if finder.nova:
        with step('asking Nova which options it has'):
            subject.declared = declared_options.ask([
                (group, option, value.text)
                for (group, option), value in sources.configuration.settings()
            ])
    if load:
        with step('loading plugins'):
            subject.loaded = plugin_loading.load(list(subject.to_load()), folders)
    found = [
        finding for check in checks.CHECKS for finding in check.run(subject)
    ]
    order = [layer.path for layer in sources.configuration.layers]
    found.sort(key=lambda one: (
        order.index(one.file) if one.file in order else len(order),
        one.file, one.line, one.id,
    ))
    active = [one for one in honoured.honoured(subject) if one.active]
    return Report(
        list(dict.fromkeys(found)),
        [*_unchecked(subject, load), *_undeclared(subject, active)],
        list(needs.needs(subject)), [one for one in active if one.hints],
    )


def _undeclared(
    subject: Subject, active: Iterable[honoured.Honoured]
) -> Iterator[Unchecked]:
    """Generate the plugins whose source says not which hints they read."""
    absent = {chosen.name for chosen in subject.plugins if chosen.error}
    for one in active:
        if one.hints is None and one.name not in absent:
            yield Unchecked(
                f'which hints {one.name} reads',
                'hints = (\'NAME\', …) in the source of its class',
            )


def _unchecked(subject: Subject, load: bool) -> list[Unchecked]:
    left = []
    if subject.declared is None:
        left.append(Unchecked(
            'options outside [scheduler], [filter_scheduler], [metrics] and '
            'nova-ext\'s own', 'Nova, installed beside nova-ext',
        ))
    for chosen in subject.plugins:
        if chosen.error and unchecked(subject, chosen):
            left.append(Unchecked(
                f'the code of {chosen.dotted}', 'its package, installed '
                'here, or --plugin-path',
            ))
    if not load:
        left += [
            Unchecked(f'which classes {value.text} brings', '--load')
            for brought in (subject.filters, subject.weighers)
            for value, names in brought.lines
            if names is None and is_path(value.text)
        ]
    return left
