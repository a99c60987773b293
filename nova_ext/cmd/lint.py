"""Run nova-ext lint: check a configuration before the restart."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.cli.output import DocumentLister
from nova_ext.config_files import expected, named_paths, sources
from nova_ext.config_files.configuration import Configuration
from nova_ext.core.base import errors
from nova_ext.core.base.finding import Severity, get_exit_status
from nova_ext.core.base.mode import Mode
from nova_ext.core.base.progress import Progress
from nova_ext.lint import checks, formats, linting


class Lint(DocumentLister):
    """Find what is wrong with a scheduler's configuration and plugins.

    Reads files only: it needs no cloud and no Nova, and runs no plugin's code.
    Exit status: 0 for nothing but infos, 3 where the worst is a warning, 4
    where it is an error.
    """

    formatter_namespace = 'nova_ext.lint.formats'
    formatter_default = reading_format = 'text'
    _report: linting.Report | None = None

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'paths', nargs='*', metavar='FILE',
            help='a configuration file, later ones win; a folder of them; '
                 'devstack\'s local.conf, kolla-ansible\'s folder of '
                 'overrides, OpenStack-Ansible\'s user_variables.yml; a '
                 'plugin\'s .py file or its folder. Default: the files that '
                 'nova-scheduler would read',
        )
        parser.add_argument(
            '--layout', choices=('packages', 'kolla'),
            help='how the files are merged: as oslo.config reads them, or by '
                 'kolla-ansible, where the names of the files do not say so',
        )
        parser.add_argument(
            '--mode', type=Mode, choices=list(Mode),
            metavar='{none,plugin,scheduler}',
            help='how nova-ext is used: plugin, in a stock nova-scheduler; '
                 'scheduler, as nova-ext-scheduler; none',
        )
        parser.add_argument(
            '--hint', action='append', default=[], metavar='NAME',
            help='a scheduler hint that users send; may be repeated',
        )
        parser.add_argument(
            '--expect', action='append', default=[], metavar='VALUES.yaml',
            help='what a deployment is to set: a YAML mapping of sections '
                 'and their options, a Helm chart\'s values with conf.nova, '
                 'kolla-ansible\'s or OpenStack-Ansible\'s overrides; what '
                 'does not reach FILE is a finding; may be repeated, later '
                 'ones win',
        )
        parser.add_argument(
            '--plugin-path', action='append', default=[], metavar='DIR',
            help='where the plugins\' packages are, before Python\'s own '
                 'path; may be repeated',
        )
        parser.add_argument(
            '--no-nova', action='store_false', dest='ask_nova',
            help='check as if Nova were not installed here; reading its '
                 'options takes some seconds',
        )
        parser.add_argument(
            '--explain', metavar='ID',
            help='say what a kind of finding means, and check nothing',
        )
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; return an exit status by the worst finding."""
        if parsed_args.explain:
            kind = _find_kind(parsed_args.explain)
            print(formats.explain(kind), file=self.app.stdout)
            return 0
        super().run(parsed_args)
        return get_exit_status(self._report.findings) if self._report else 0

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        files, code = named_paths.split(parsed_args.paths)
        configuration = named_paths.read(
            files, parsed_args.layout
        ) if files or not code else sources.Sources('', Configuration([]))
        self._report = linting.lint(
            configuration, code=code, folders=parsed_args.plugin_path,
            mode=parsed_args.mode, hints=parsed_args.hint,
            ask_nova=parsed_args.ask_nova, progress=Progress(),
            expected=expected.read(parsed_args.expect)
            if parsed_args.expect else {},
        )
        self.document = self._report.to_dict()
        self.notes = _summarize(self._report)
        rows = [formats.to_row(finding) for finding in self._report.findings]
        return formats.COLUMNS, rows


def _find_kind(wanted: str) -> Any:
    kind = checks.KINDS.get(wanted.upper())
    if kind is None:
        raise errors.NovaExtError(
            f'no finding has the ID {wanted}; lint prints the ID of each, '
            f'{min(checks.KINDS)} to {max(checks.KINDS)}'
        )
    return kind


def _summarize(report: linting.Report) -> list[str]:
    """Return the lines below the findings."""
    lines = [
        f'Needs {one.mode} mode: {one.setting} ({one.location})'
        for one in report.needs
    ]
    if report.hints:
        readers: dict[str, list[str]] = {}
        for one in report.hints:
            for hint in one.hints or ():
                readers.setdefault(hint, []).append(one.name)
        read = (f'{hint} ({", ".join(names)})'
                for hint, names in sorted(readers.items()))
        lines.append(f'Hints that are read: {"; ".join(read)}')
    lines += [
        f'Not checked: {one.what}; needs {one.needs}'
        for one in report.unchecked
    ]
    counts = [
        (sum(one.severity is severity for one in report.findings), severity)
        for severity in sorted(Severity, reverse=True)
    ]
    return [*lines, ', '.join(
        f'{count} {severity}{"s" * (count != 1)}' for count, severity in counts
    )]
