"""Run openstack scheduler shadow report."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from osc_lib.command import command

from nova_ext.cli.output import DocumentLister
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation import shadow_report
from nova_ext.core.explanation.shadow_report import Report
from nova_ext.osc.arguments import get_client

COLUMNS = ('Scheduler', *shadow_report.COLUMNS)


class ShowShadowReports(DocumentLister, command.Lister):
    """Show what changes would have made of requests since they are followed.

    Shows the reports that "nova-ext replay --follow" keeps beside the
    schedulers' journals. Exit status: 0 where all that was placed would be, 3
    where something would not, 4 where the journal's own configuration decides
    otherwise.
    """

    status = 0

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'host', metavar='<host>', nargs='?',
            help='Show reports of this scheduler host alone',
        )
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; return an exit status by what was lost."""
        return super().run(parsed_args) or self.status

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        host = parsed_args.host
        reports = get_client(self).get(
            '/v1/shadow-reports', host=host
        )['shadow_reports']
        if not reports:
            whose = f' of host {host}' if host else ''
            raise NovaExtError(
                f'there is no shadow report{whose} in the database: nova-ext '
                f'replay --follow writes one beside the journal, and '
                f'nova-ext-shipper of that host stores it'
            )
        self.status = max(map(shadow_report.get_exit_status, reports))
        self.sentence = '\n'.join(
            f'{_name(report)}: {report[name]}' for report in reports
            for name in ('verification', 'sentence')
        )
        self.notes = [
            f'{_name(report)}: {note}' for report in reports
            for note in shadow_report.list_notes(
                report, f'its process or nova-ext-shipper on {report["host"]}'
            )
        ]
        self.document = {'shadow_reports': reports}
        return COLUMNS, _make_rows(reports)


def _make_rows(reports: Sequence[Report]) -> Iterator[Sequence[Any]]:
    for report in reports:
        for row in shadow_report.build_table(report):
            yield _name(report), *row


def _name(report: Report) -> str:
    """Return the scheduler's host, and the shadow's file if it has several."""
    file = report['file']
    return report['host'] + ('' if file == shadow_report.FILE else f' {file}')
