"""Run nova-ext replay: decide a journal again under another nova.conf."""

import argparse
import dataclasses
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli.output import DocumentLister
from nova_ext.cmd import (
    changed_setups,
    output_file,
    past,
    rolling_replay,
    shadow,
)
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.replay import page, replaying, report
from nova_ext.replay import unseen as unseen_requests
from nova_ext.replay.selection import Selection
from nova_ext.replay.share import Setup


class Replay(DocumentLister):
    """Say what another configuration would have decided.

    Each decision of a journal is made again as it stood: hosts, candidates
    and draws are those of then, and Nova's own filters and weighers decide.
    No cloud is asked. A server that goes elsewhere changes nothing for later
    decisions. The journal's own configuration decides, too, and has to
    decide as it did. With --follow the newest decisions are made again as
    they come, until the command is interrupted.

    With ``--rolling`` the day goes as it would have gone: each decision
    begins with the cloud that the ones before left. That needs journals of a
    scheduler whose mirror decides, or one of ``nova-ext journal import``. Of
    an imported one, ``--against`` is compared with the first configuration.

    Exit status: 0 where all that was placed would be, 3 where something would
    not, 4 where the journal's own configuration makes an exact decision
    otherwise, or none, or a new one makes none.
    """

    status = 0

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'journals', nargs='+', metavar='JOURNAL', type=Path,
            help='a journal, or a folder of journals',
        )
        changed_setups.add_options(parser)
        parser.add_argument(
            '--verify', action='store_true',
            help='only decide with the journal\'s own configuration, and list '
                 'what comes out otherwise',
        )
        parser.add_argument(
            '--rolling', action='store_true',
            help='decide the day as it would have gone: a server takes the '
                 'room of its host until it ends',
        )
        parser.add_argument(
            '--plugins', metavar='DIR', action='append', default=[],
            help='folder in which filters and weighers are looked for before '
                 'Python\'s own path; may be repeated',
        )
        _add_selection(parser)
        parser.add_argument(
            '--log', metavar='FILE', type=Path, action='append', default=[],
            help='count the requests of nova-scheduler\'s log that reached '
                 'no filter; a stock one\'s journal does not have them. May '
                 'be repeated',
        )
        shadow.add_options(parser)
        parser.add_argument(
            '--by', choices=[*map(str, report.By)],
            default=str(report.By.CAUSE),
            metavar='{cause,flavor,project,aggregate}',
            help='what the changed decisions are grouped by in the table '
                 '(default: cause); JSON and YAML have all four',
        )
        parser.add_argument(
            '--processes', metavar='N', type=_parse_processes,
            help='how many processes decide (default: one for each '
                 'processor)',
        )
        parser.add_argument(
            '--html', metavar='FILE', type=Path,
            help='also write an HTML page: the day, the transitions, their '
                 'causes and examples',
        )
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; return an exit status by what was lost."""
        super().run(parsed_args)
        return self.status

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        _check_times(parsed_args)
        setups = changed_setups.build_setups(parsed_args)
        if parsed_args.rolling:
            return rolling_replay.report(self, parsed_args, setups)
        rolling_replay.check_decided(parsed_args.journals)
        if parsed_args.follow:
            return shadow.follow(self, parsed_args, setups)
        output_file.check(parsed_args.html, '--html', *map(Path, (
            *parsed_args.journals, *parsed_args.config_file, *parsed_args.log,
            *filter(None, [parsed_args.against]),
        )))
        unseen = unseen_requests.count(
            parsed_args.log, parsed_args.journals
        ) if parsed_args.log else None
        replay = replaying.replay(
            parsed_args.journals, Selection(
                parsed_args.since, parsed_args.until, parsed_args.sample
            ), setups, Setup(plugins=parsed_args.plugins), Progress(),
            parsed_args.processes,
        )
        self.status = report.get_exit_status(replay)
        self.sentence = report.describe_verification(replay.verification)
        self.notes = [
            *report.summarize(replay),
            *report.list_gaps(replay.verification),
            *report.list_new_gaps(replay), *replay.failures,
            *replay.journals.notes,
        ]
        self.document = document = report.to_dict(replay)
        if unseen is not None:
            self.notes.append(unseen.describe())
            document['unseen'] = dataclasses.asdict(unseen)
        if parsed_args.html:
            page.write(parsed_args.html, replay)
        if not setups:
            return report.build_differences(replay.verification)
        return report.build_table(replay, report.By(parsed_args.by))


def _add_selection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group('which decisions')
    group.add_argument(
        '--since', metavar='TIME', type=past.parse_time,
        help='leave out decisions before this time, ISO 8601; UTC unless it '
             'says otherwise',
    )
    group.add_argument(
        '--until', metavar='TIME', type=past.parse_time,
        help='leave out decisions of this time and later',
    )
    group.add_argument(
        '--sample', metavar='PART', type=_parse_part, default=1.0,
        help='take this part of the decisions, such as 0.1; the same ones '
             'each time',
    )


def _check_times(parsed_args: argparse.Namespace) -> None:
    since, until = parsed_args.since, parsed_args.until
    if since is not None and until is not None and since >= until:
        raise NovaExtError(
            '--since is not before --until: no decision is between them'
        )


def _parse_part(text: str) -> float:
    try:
        part = float(text)
    except ValueError:
        part = math.nan
    if not 0 < part <= 1:
        raise argparse.ArgumentTypeError(
            f'{text}: give a part, more than 0 and at most 1'
        )
    return part


def _parse_processes(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not int(text):
        raise argparse.ArgumentTypeError(f'{text}: give 1 or more')
    return int(text)
