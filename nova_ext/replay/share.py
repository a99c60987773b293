"""Decide a share of a journal's decisions again, in a process of its own.

A process reads one configuration, which Nova keeps for all of it. It reads
the whole journal, whose frames are changes of earlier ones, and decides every
n-th decision.
"""

import functools
import os
import signal
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.journal.model import JournalProcess
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.replayed import HostKey, Replayed
from nova_ext.replay.selection import Selection, iterate

#: Decisions whose results are sent together.
_AT_ONCE = 20


@dataclass(frozen=True)
class Setup:
    """Represent what decisions are made with again.

    :param files: of ``--config-file``; without files and folders: the
        journal's own configuration.
    :param folders: of ``--config-dir``.
    :param plugins: folders in which plugins are looked for first.
    :param changes: of aggregates, as arguments of AggregateChange.
    :param options: group, name and value of options that are set over it.
    """

    files: Sequence[str] = ()
    folders: Sequence[str] = ()
    plugins: Sequence[str] = ()
    changes: Sequence[tuple[str, str, str | None]] = ()
    options: Sequence[tuple[str, str, str]] = ()

    @property
    def is_own(self) -> bool:
        """Say whether it is the journal's own configuration."""
        return not (self.files or self.folders)


@dataclass(frozen=True)
class Share:
    """Represent what one process decides.

    :param identity: of the configuration whose decisions are made again.
    :param number: of the process, from 0.
    :param count: of processes.
    :param watched: by file name and ID, hosts whose verdicts are wanted.
    :param chosen: of a rolling replay, what the decisions are compared with,
        by file name and ID: the hosts of each server.
    """

    paths: Sequence[Path]
    identity: str
    selection: Selection
    setup: Setup
    number: int
    count: int
    watched: Mapping[tuple[str, int], Sequence[HostKey]]
    chosen: Mapping[tuple[str, int], Sequence[Sequence[HostKey]]] = field(
        default_factory=dict
    )


def run(share: Share, results: Any) -> None:
    """Decide a share as it stood; see :func:`send`."""
    send(_decide(share), results)


def send(batches: Iterable[list[Replayed]], results: Any) -> None:
    """Send decisions that are made again, and how that ends.

    :param batches: they are made when they are asked for.
    :param results: a queue. It gets lists of :class:`Replayed`, at the end
        None, or a text: the error that ended it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    warnings.simplefilter('ignore')
    # What plugins print is no part of the report.
    sys.stdout = Path(os.devnull).open('w')  # noqa: SIM115  while it lives
    try:
        for batch in batches:
            results.put(batch)
    except NovaExtError as error:
        results.put(str(error))
    except Exception as error:
        text = ' '.join(f'{type(error).__name__}: {error}'.split())
        results.put(f'deciding again failed: {text}')
    else:
        results.put(None)


def _decide(share: Share) -> Iterator[list[Replayed]]:
    batch: list[Replayed] = []
    replayer: Any = None
    setup_gaps: Sequence[str] = ()
    position = 0
    for path in share.paths:
        reader = JournalReader(path)
        for identity, decision in iterate(reader, share.selection):
            if identity != share.identity:
                continue
            if replayer is None:
                replayer, setup_gaps = make_replayer(
                    share.setup, reader.process
                )
            position += 1
            if position % share.count != share.number:
                continue
            replayed = replayer.decide(
                decision, share.watched.get((path.name, decision.id))
            )
            replayed.source = path.name
            replayed.gaps = (*setup_gaps, *replayed.gaps)
            batch.append(replayed)
            if len(batch) >= _AT_ONCE:
                yield batch
                batch = []
    yield batch


def make_replayer(
    setup: Setup, process: JournalProcess, *, rolling: bool = False
) -> tuple[Any, Sequence[str]]:
    """Return what decides, and which facts its configuration lacks.

    :param rolling: each decision changes the cloud of the next ones.
    :raises NovaExtError: for a configuration that can't be used, or where
        Nova is not installed.
    """
    try:
        from nova_ext.scheduler.what_if.replay import configuration, replayer
        from nova_ext.scheduler.what_if.replay.aggregate_changes import (
            AggregateChange,
        )
    except ImportError as error:
        raise NovaExtError(
            f'{error}; pip install \'nova-ext[scheduler]\' brings Nova, whose '
            f'filters and weighers decide'
        ) from error
    recorded = process.configuration
    if setup.is_own:
        configuration.read_recorded(recorded, process.masked, setup.plugins)
    else:
        configuration.read(setup.files, setup.folders, setup.plugins)
    configuration.set_options(setup.options)
    changes = [AggregateChange(*change) for change in setup.changes]
    gaps = [
        f'what placement would have answered: {what}' for what in (
            *(
                f'{option} differs' for option in
                configuration.list_differences(
                    recorded, configuration.QUERY_OPTIONS
                )
            ),
            *(
                f'its query depends on {change.key} of aggregates'
                for change in changes if change.changes_query
            ),
        )
    ]
    gaps += [
        f'what {option} would have made of the facts: it differs'
        for option in configuration.list_differences(
            recorded, configuration.FACT_OPTIONS
        )
    ]
    configuration.go_offline()
    replaying = replayer.Replayer(
        process.mode, changes,
        *([_get_rolling_stage(process)] if rolling else []),
    )
    return replaying, [*gaps, *replaying.list_other_code(process)]


def _get_rolling_stage(process: JournalProcess) -> Any:
    """Return what sets the stage of a rolling replay.

    :param process: wrote the journal.
    :raises NovaExtError: where numpy is not installed.
    """
    try:
        from nova_ext.scheduler.what_if.replay.rolling import rolling_stage
    except ImportError as error:
        raise NovaExtError(
            f'{error}; pip install \'nova-ext[scheduler,mirror]\' brings '
            f'numpy, which a rolling replay needs'
        ) from error
    rolling_stage.skip_prefilters()
    return functools.partial(rolling_stage.RollingStage, process)
