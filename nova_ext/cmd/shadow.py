"""Follow a journal with nova-ext replay, and print what came of it."""

import argparse
import signal
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from nova_ext.cli.output import DocumentLister
from nova_ext.cmd import arguments
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision.transition import Transition
from nova_ext.core.explanation import shadow_report
from nova_ext.core.explanation.shadow_report import FILE
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.replay.selection import Selection
from nova_ext.replay.shadow import follower, tally
from nova_ext.replay.shadow.process import ProcessLimits
from nova_ext.replay.shadow.tally import Tally
from nova_ext.replay.share import Setup

#: Options that have no meaning while a journal is followed.
_REFUSED = ('verify', 'against', 'html', 'log', 'processes')


class ReportShadow(DocumentLister):
    """Show what a change would have made of requests since it is followed.

    Reads the report that "nova-ext replay --follow" keeps. Exit status: 0
    where all that was placed would be, 3 where something would not, 4 where
    the journal's own configuration decides otherwise.
    """

    status = 0

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'path', metavar='FILE', type=Path,
            help=f'the report, or the folder of a journal: its {FILE}',
        )
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; return an exit status by what was lost."""
        return super().run(parsed_args) or self.status

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        return show(self, tally.read(_find_report(parsed_args.path)))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of following."""
    group = parser.add_argument_group('following')
    group.add_argument(
        '--follow', action='store_true',
        help='decide from now on, or from --since on, each decision that is '
             'added to the journal, until --until or an interrupt, and keep '
             'a report',
    )
    group.add_argument(
        '--report', metavar='FILE', type=Path,
        help=f'where --follow keeps the report; it goes on with one that is '
             f'there (default: {FILE} in the folder of the journal)',
    )
    group.add_argument(
        '--memory-mb', metavar='N', type=arguments.parse_count, default=1024,
        help='how much the process of filters and weighers may grow once all '
             'is loaded, in MiB (default: %(default)s)',
    )
    group.add_argument(
        '--time-s', metavar='SECONDS', type=arguments.parse_seconds,
        default=30.0,
        help='how long a request may compute or wait, but for a processor, '
             'in seconds (default: %(default)s: nova-conductor waits 60)',
    )


def follow(
    command: Any, parsed_args: argparse.Namespace,
    setups: Mapping[str, Setup],
) -> tuple[Sequence[str], Iterable[Any]]:
    """Follow a journal until a signal or --until.

    :param command: nova-ext replay; it gets what is printed.
    :param setups: what is changed, by name.
    :raises NovaExtError: nothing can be decided so.
    """
    refused = [
        f'--{name}' for name in _REFUSED if getattr(parsed_args, name)
    ]
    if refused:
        raise NovaExtError(f'leave out {", ".join(refused)} with --follow')
    ((name, setup),) = setups.items()
    path = parsed_args.report or _find_report(parsed_args.journals[0])
    counted = tally.begin(path, name, setup, parsed_args.since)
    progress = Progress()
    following = follower.JournalFollower(
        follower.FollowTask(
            parsed_args.journals,
            Selection(counted.since, parsed_args.until, parsed_args.sample),
            setup, replace(setup, **_UNCHANGED), ProcessLimits(
                parsed_args.memory_mb, parsed_args.time_s
            ), path,
        ), counted, _stop_by_signal().is_set, progress.say,
    )
    title = f'follow, and count in {path}'
    # A log would get a line every three seconds, for days.
    with progress.step(title) if sys.stderr.isatty() else nullcontext():
        following.run(lambda: progress.detail(
            f'{pluralize(counted.requests, "request")}, '
            f'{counted.count(Transition.PLACED_NONE)} to none, '
            f'{counted.count(Transition.OTHER_HOST)} moved'
        ))
    return show(command, counted)


#: The journal's own configuration has its plugins where the change has them.
_UNCHANGED: Mapping[str, Any] = {
    'files': (), 'folders': (), 'changes': (), 'options': (),
}


def show(
    command: Any, counted: Tally
) -> tuple[Sequence[str], Iterable[Any]]:
    """Prepare a report for printing."""
    report = shadow_report.serialize(asdict(counted))
    report |= shadow_report.judge(report, time.time())
    command.status = shadow_report.get_exit_status(report)
    command.sentence = f'{report["verification"]}\n{report["sentence"]}'
    command.notes = list(shadow_report.list_notes(report))
    command.document = report
    return shadow_report.COLUMNS, shadow_report.build_table(report)


def _find_report(path: Path) -> Path:
    """Return the report that belongs to a path of a journal."""
    if path.is_dir():
        return path / FILE
    return path.parent / FILE if path.suffix == '.journal' else path


def _stop_by_signal() -> threading.Event:
    """Return what is set by SIGINT and SIGTERM."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    return stopped
