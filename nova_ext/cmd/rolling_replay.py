"""Run nova-ext replay --rolling: the day as it would have gone."""

import argparse
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.journal.frames import JournalError
from nova_ext.journal.model import IMPORTED
from nova_ext.journal.reader import JournalReader
from nova_ext.replay import rolling, rolling_report
from nova_ext.replay.share import Setup


def report(
    command: Any, parsed_args: argparse.Namespace,
    setups: Mapping[str, Setup],
) -> tuple[Sequence[str], Iterable[Any]]:
    """Replay, and prepare the report.

    :param command: the Replay command, which gets sentence, notes, document
        and status.
    :raises NovaExtError: for options, a journal or a configuration that can't
        be used.
    """
    _check_options(parsed_args)
    result = rolling.replay(
        parsed_args.journals, setups, Setup(plugins=parsed_args.plugins),
        Progress(),
    )
    command.status = rolling_report.get_exit_status(result)
    command.sentence = rolling_report.describe(result)
    command.notes = [
        *rolling_report.summarize(result), *result.journals.notes,
    ]
    command.document = rolling_report.to_dict(result)
    return rolling_report.build_table(result)


def _check_options(parsed_args: argparse.Namespace) -> None:
    """Check that no option is given that needs decisions as they stood.

    :raises NovaExtError: one is.
    """
    for name, value in (
        ('--html', parsed_args.html),
        ('--log', parsed_args.log),
        ('--since', parsed_args.since), ('--until', parsed_args.until),
        ('--sample', parsed_args.sample < 1), ('--follow', parsed_args.follow),
    ):
        if value:
            raise NovaExtError(
                f'{name} is about decisions as they stood: leave it out, or '
                f'--rolling'
            )


def check_decided(paths: Iterable[Path]) -> None:
    """Check that journals have decisions.

    :raises NovaExtError: one was imported.
    """
    for path in paths:
        with contextlib.suppress(JournalError, OSError):
            reader = JournalReader(path)
            next(iter(reader), None)
            if reader.process.mode == IMPORTED:
                raise NovaExtError(
                    f'{path}: not replayable as it stood: its requests were '
                    f'imported, and nobody decided them; give --rolling'
                )
