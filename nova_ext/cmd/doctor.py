"""nova-ext doctor: what will hurt in a running cloud."""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cliff import lister

from nova_ext.core.finding import exit_status
from nova_ext.doctor.examination import Examination

COLUMNS = ('Severity', 'Finding', 'What', 'Where')

#: Formats that hold everything there is to say, and not the table alone.
WHOLE = ('json', 'yaml')


class Doctor(lister.Lister):
    """Look at a running cloud, read only, and say what will hurt.

    Reads the cloud that OS_CLOUD names, as an administrator. The exit status
    is 0 where nothing was found but infos, 3 for warnings, 4 for errors.
    """

    _made = Examination()

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        add_arguments(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Run every check."""
        self._made = examine(parsed_args)
        return COLUMNS, [
            (str(found.severity), found.id, found.what, found.where)
            for found in self._made.findings
        ]

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; cliff's own status says only that it ran."""
        return super().run(parsed_args) or exit_status(self._made.findings)

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Any,
    ) -> int:
        """The table, and why each finding matters; or the whole."""
        made, out = self._made, self.app.stdout
        if parsed_args.formatter in WHOLE:
            whole = as_data(made)
            names, _ = self._generate_columns_and_selector(
                parsed_args, list(whole)
            )
            self.formatter.emit_one(  # type: ignore[attr-defined]
                names, [whole[name] for name in names], out, parsed_args
            )
        elif parsed_args.formatter != 'table':
            super().produce_output(parsed_args, column_names, list(data))
        else:
            if made.findings:
                super().produce_output(parsed_args, column_names, list(data))
            for line in notes(made):
                print(line, file=out)
        return 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what to look at."""
    parser.add_argument(
        '--config-file', metavar='FILE', action='append', default=[],
        help='configuration file of nova-scheduler; may be repeated; '
             'default: those that nova-scheduler would find here',
    )
    parser.add_argument(
        '--config-dir', metavar='DIR', action='append', default=[],
        help='folder of configuration files; may be repeated',
    )
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
        '--sample', metavar='N', type=int, default=1000,
        help='look into the inventories and allocations of at most N '
             'providers, two requests each; 0: of all (default: 1000)',
    )
    parser.add_argument(
        '--watch', metavar='SECONDS', type=float, default=0.0,
        help='watch heartbeats for so long, which shows clocks that are '
             'behind; 15 is enough where report_interval is 10 (default: 0)',
    )


def examine(parsed_args: argparse.Namespace) -> Examination:
    """Run every check, as the options of the command line say."""
    from nova_ext.core.progress import Progress
    from nova_ext.doctor import cloud, configuration, examination
    from nova_ext.doctor.checks import CHECKS
    from nova_ext.doctor.facts import Facts
    from nova_ext.record import location

    files, folders = parsed_args.config_file, parsed_args.config_dir
    facts = Facts(
        cloud.connect(),
        configuration.Configuration(
            configuration.find(files, folders), parsed_args.other_config,
            parsed_args.record or [location.path(files, folders)],
        ),
        Progress(), parsed_args.sample, parsed_args.watch,
    )
    return examination.examine(facts, CHECKS)


def as_data(made: Examination) -> dict[str, Any]:
    """All of it, for JSON."""
    return {
        'findings': [found.to_dict() for found in made.findings],
        'not_checked': [
            {'check': name, **asdict(gap)} for name, gap in made.gaps
        ],
        'passed': made.passed,
        'requests': made.requests,
        'seconds': round(made.seconds, 3),
    }


def notes(made: Examination) -> Iterable[str]:
    """What stands below the table."""
    for found in made.findings:
        yield f'\n{found.id}: {found.why}\n  Fix: {found.fix}'
    if made.findings:
        yield ''
    yield f'Nothing found: {", ".join(made.passed) or "by no check"}'
    for name, gap in made.gaps:
        yield f'Not looked at ({name}): {gap.what}; it needs {gap.needs}'
    asked = ', '.join(
        f'{count} of {service}'
        for service, count in sorted(made.requests.items())
    )
    yield f'{asked} requests in {made.seconds:.1f} s; nothing was changed'
