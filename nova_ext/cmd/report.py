"""nova-ext report: one archive for a bug report."""

import argparse
import datetime
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cliff import lister

from nova_ext.cmd import arguments, cloud_options
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress

COLUMNS = ('File', 'Bytes', 'What')

#: Formats that hold everything there is to say, and not the table alone.
WHOLE = ('json', 'yaml')


class Report(lister.Lister):
    """Pack what a bug report needs into one archive, without names.

    Versions, digests of the configuration, what lint and doctor say, and the
    last decisions that found no host. Secrets are left out, and names
    replaced by pseudonyms. Nothing is sent anywhere.
    """

    _path = Path()

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--output', metavar='FILE', type=Path,
            help='the archive; default: nova-ext-report-TIME.tar.gz in the '
                 'current folder',
        )
        parser.add_argument(
            '--failures', metavar='N', type=arguments.count, default=20,
            help='how many of the last decisions without a host to take '
                 '(default: 20)',
        )
        parser.add_argument(
            '--no-cloud', action='store_true',
            help='ask no cloud, and leave out what doctor says',
        )
        cloud_options.add(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Gather, scrub, write."""
        from nova_ext.record import summary
        from nova_ext.report import archive, contents

        self._path = parsed_args.output or Path(_default_name())
        configuration = cloud_options.configuration(parsed_args)
        facts, said = None, {'error': 'left out by --no-cloud'}
        if not parsed_args.no_cloud:
            facts, said = _doctor(parsed_args, configuration)
        with Progress().step('decision records'):
            records = summary.summarize_all(
                configuration.records, parsed_args.failures
            )
        files = contents.files(
            {'lint': _lint(configuration), 'doctor': said}, configuration,
            records, facts,
        )
        archive.write(self._path, {
            file.name: file.content for file in files
        })
        return COLUMNS, [
            (file.name, len(file.content), file.about) for file in files
        ]

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Any,
    ) -> int:
        """The table of files, and where they are."""
        path, out, rows = self._path.absolute(), self.app.stdout, list(data)
        if parsed_args.formatter in WHOLE:
            self.formatter.emit_one(  # type: ignore[attr-defined]
                ('archive', 'files'), (str(path), [
                    dict(zip(('file', 'bytes', 'what'), row, strict=True))
                    for row in rows
                ]), out, parsed_args,
            )
            return 0
        super().produce_output(parsed_args, column_names, rows)
        if parsed_args.formatter == 'table':
            print(
                f'{path}\nLook it through before you give it away: '
                f'tar -xzOf {path.name} | less', file=out,
            )
        return 0


def _lint(configuration: Any) -> dict[str, Any]:
    from nova_ext.config_files import sources
    from nova_ext.lint import linting

    if not configuration.files:
        return {'error': 'no configuration file was found'}
    with Progress().step('lint'):
        return linting.lint(sources.read([
            (sources.FILE, str(path)) for path in configuration.files
        ])).to_dict()


def _doctor(
    parsed_args: argparse.Namespace, configuration: Any
) -> tuple[Any, dict[str, Any]]:
    """The facts and what doctor says; a cloud that is away is worth saying."""
    from nova_ext.doctor import cloud, examination
    from nova_ext.doctor.checks import CHECKS

    facts = None
    try:
        facts = cloud_options.facts(
            parsed_args, configuration, cloud.connect()
        )
        return facts, examination.examine(facts, CHECKS).to_dict()
    except NovaExtError as error:
        return facts, {'error': str(error)}


def _default_name() -> str:
    now = datetime.datetime.now(datetime.UTC)
    return f'nova-ext-report-{now:%Y%m%dT%H%M%SZ}.tar.gz'
