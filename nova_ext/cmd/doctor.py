"""Run nova-ext doctor: find what will hurt in a running cloud."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli.output import DocumentLister
from nova_ext.cmd import arguments
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.finding import Unchecked, get_exit_status
from nova_ext.core.base.progress import Progress
from nova_ext.doctor import cloud, formats
from nova_ext.doctor.configuration import Configuration, find, read
from nova_ext.doctor.examination import Examination
from nova_ext.doctor.facts import CloudFacts
from nova_ext.record import location


class Doctor(DocumentLister):
    """Look at a running cloud, read only, and say what will hurt.

    Reads the cloud that OS_CLOUD names, as an administrator. Exit status: 0
    for nothing but infos, 3 where the worst is a warning, 4 where it is an
    error.
    """

    formatter_namespace = 'nova_ext.doctor.formats'
    formatter_default = reading_format = 'text'
    _examination = Examination()

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_options(parser)
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; return an exit status by the worst finding."""
        return super().run(parsed_args) or get_exit_status(
            self._examination.findings
        )

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        from nova_ext.doctor import examination
        from nova_ext.doctor.checks import CHECKS

        facts = connect(parsed_args, read_configuration(parsed_args))
        self._examination = examination.examine(facts, CHECKS)
        self.document = self._examination.to_dict()
        self.notes = list(_summarize(self._examination))
        return formats.COLUMNS, [
            formats.to_row(finding) for finding in self._examination.findings
        ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what to look at."""
    arguments.add_configuration(parser)
    parser.add_argument(
        '--other-config', metavar='PATH', action='append', default=[],
        type=Path,
        help='the file of another scheduler, or the folder of its files, to '
             'compare; may be repeated',
    )
    parser.add_argument(
        '--record', metavar='FILE', action='append', default=[], type=Path,
        help='the decision record of a scheduler host; may be repeated; '
             'default: [nova_ext_record] file of the configuration',
    )
    parser.add_argument(
        '--sample', metavar='N', type=arguments.parse_count, default=1000,
        help='read the inventories and allocations of at most N providers, '
             'with two requests for each; 0: of all (default: 1000)',
    )
    parser.add_argument(
        '--watch', metavar='SECONDS', type=arguments.parse_seconds,
        default=0.0,
        help='watch heartbeats for this long, which shows clocks that are '
             'behind; 15 is enough where report_interval is 10 (default: 0)',
    )


def read_configuration(parsed_args: argparse.Namespace) -> Configuration:
    """Read the files that the options name, or in a lab the lab's.

    Without either, read those that nova-scheduler finds. Who may not read
    them can do without.

    :raises NovaExtError: for one that is named and can't be read.
    """
    files, folders = arguments.find_configuration(parsed_args)
    loaded, records, unread = find(files, folders), parsed_args.record, ''
    try:
        read(loaded)
        records = records or [location.find_record(files, folders)]
    except NovaExtError as error:
        if files or folders:
            raise
        unread = str(error)
    return Configuration(loaded, parsed_args.other_config, records, unread)


def connect(
    parsed_args: argparse.Namespace, configuration: Configuration
) -> CloudFacts:
    """Return the facts of the cloud, which the checks read.

    :raises NovaExtError: when the cloud can't be asked.
    """
    return CloudFacts(
        cloud.connect(), configuration, Progress(), parsed_args.sample,
        parsed_args.watch,
    )


def _summarize(examination: Examination) -> Iterable[str]:
    """Return the lines below the findings."""
    yield f'Nothing found: {", ".join(examination.passed) or "by no check"}'
    # One refusal may keep several checks from running.
    checks: dict[Unchecked, list[str]] = {}
    for check, unchecked in examination.unchecked:
        checks.setdefault(unchecked, []).append(check)
    for unchecked, names in checks.items():
        yield (
            f'Not checked ({", ".join(names)}): {unchecked.what}; '
            f'needs {unchecked.needs}'
        )
    requests = ', '.join(
        f'{count} of {service}'
        for service, count in sorted(examination.requests.items())
    )
    yield (
        f'{requests} requests in {examination.seconds:.1f} s; nothing was '
        f'changed'
    )
