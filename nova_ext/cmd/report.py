"""Run nova-ext report: write one archive for a bug report."""

import argparse
import datetime
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli.output import DocumentLister
from nova_ext.cmd import arguments, doctor
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress

COLUMNS = ('File', 'Bytes', 'What')


class Report(DocumentLister):
    """Write what a bug report needs into one archive, without names.

    The archive holds versions, digests of the configuration, the findings of
    lint and doctor, and the last decisions that found no host. Secrets are
    left out, and names are replaced by pseudonyms. Nothing is sent anywhere.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the options."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--output', metavar='FILE', type=Path,
            help='the archive; default: nova-ext-report-TIME.tar.gz in the '
                 'current folder',
        )
        parser.add_argument(
            '--failures', metavar='N', type=arguments.parse_count, default=20,
            help='include at most N of the last decisions that found no host '
                 '(default: 20)',
        )
        parser.add_argument(
            '--no-cloud', action='store_true',
            help='send the cloud no requests, and leave out what doctor finds',
        )
        doctor.add_options(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Gather, scrub and write the files."""
        from nova_ext.record import summary
        from nova_ext.report import archive, contents

        path = (parsed_args.output or Path(_default_name())).absolute()
        configuration = doctor.read_configuration(parsed_args)
        facts, findings = None, {'error': 'left out by --no-cloud'}
        if not parsed_args.no_cloud:
            facts, findings = _examine(parsed_args, configuration)
        with Progress().step('decision records'):
            records = summary.summarize_all(
                configuration.records, parsed_args.failures
            )
        files = contents.build_files(
            {'lint': _lint(configuration), 'doctor': findings}, configuration,
            records, facts,
        )
        archive.write(path, {
            file.name: file.content for file in files
        })
        rows = [(file.name, len(file.content), file.about) for file in files]
        self.document = {'archive': str(path), 'files': [
            dict(zip(('file', 'bytes', 'what'), row, strict=True))
            for row in rows
        ]}
        self.notes = [
            f'{path}\nLook it through before you give it away: '
            f'tar -xzOf {path.name} | less'
        ]
        return COLUMNS, rows


def _lint(configuration: Any) -> dict[str, Any]:
    from nova_ext.config_files import sources
    from nova_ext.lint import linting

    if not configuration.existing:
        return {'error': 'no configuration file was found'}
    with Progress().step('lint'):
        return linting.lint(sources.read([
            (sources.FILE, str(path)) for path in configuration.existing
        ])).to_dict()


def _examine(
    parsed_args: argparse.Namespace, configuration: Any
) -> tuple[Any, dict[str, Any]]:
    """Return the facts of the cloud and the findings, or the error."""
    from nova_ext.doctor import examination
    from nova_ext.doctor.checks import CHECKS

    facts = None
    try:
        facts = doctor.connect(parsed_args, configuration)
        return facts, examination.examine(facts, CHECKS).to_dict()
    except NovaExtError as error:
        return facts, {'error': str(error)}


def _default_name() -> str:
    now = datetime.datetime.now(datetime.UTC)
    return f'nova-ext-report-{now:%Y%m%dT%H%M%SZ}.tar.gz'
