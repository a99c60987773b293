"""Ask a journal what was decided, or would have been, at a time."""

import argparse
import contextlib
import datetime
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nova_ext.cli import boot, servers
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision.decision import Decision
from nova_ext.core.rpc.boot_request import MAX_SERVERS
from nova_ext.core.rpc.capacity import Capacity
from nova_ext.journal.moment import BootLike, Moment, PastCloud

#: What a simulation takes, that a journal can't answer.
_REFUSED = (
    'server', 'operation', 'volume', 'snapshot', 'boot_from_volume',
    'block_devices', 'image_properties', 'server_group', 'host',
    'hypervisor_hostname', 'instead_of',
)


def add_options(
    parser: argparse.ArgumentParser,
    source: argparse._ActionsContainer | None = None,
) -> None:
    """Add the options that name a journal and a time.

    :param source: excludes others; None: there are none.
    """
    (source or parser).add_argument(
        '--journal', metavar='FILE', type=Path,
        help='ask a journal, or a folder of its files, in place of the '
             'cloud; needs Nova, and no service of it',
    )
    parser.add_argument(
        '--as-of', metavar='TIME', type=parse_time,
        help='with --journal: what was known at this time, ISO 8601; UTC '
             'unless it says otherwise (default: its end)',
    )


def parse_time(text: str) -> float:
    """Parse a time; return seconds since 1970.

    :raises ArgumentTypeError: for anything else.
    """
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f'{text}: give a time such as 2026-01-31T08:00'
        ) from None
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.UTC)
    return time.timestamp()


def check_options(parsed_args: argparse.Namespace) -> None:
    """Refuse a time without a journal.

    :raises NovaExtError: for that.
    """
    if parsed_args.as_of is not None and parsed_args.journal is None:
        raise NovaExtError('--as-of is a time of a journal: give --journal')


def read(parsed_args: argparse.Namespace, wanted: str = '') -> PastCloud:
    """Read the journal up to the time.

    :param wanted: as of PastCloud.

    :raises NovaExtError: it can't be read.
    """
    with Progress().step('read the journal'):
        return PastCloud(
            [parsed_args.journal], parsed_args.as_of, wanted
        )


@contextlib.contextmanager
def heard() -> Iterator[None]:
    """Have errors logged that end a command.

    While Nova's code decides again, nothing is logged. Once it has, or
    failed to, the command's own errors are.
    """
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@heard()
def explain(
    parsed_args: argparse.Namespace
) -> tuple[Decision, str, list[str]]:
    """Return a decision as it is made again, of whom, and notes.

    :raises NovaExtError: the journal does not have it.
    """
    for name in ('all', 'record_only'):
        if getattr(parsed_args, name, False):
            raise NovaExtError(
                f'--{name.replace("_", "-")} is of the record: leave out '
                f'--journal'
            )
    wanted = servers.identify(parsed_args.server, _refuse_name)
    cloud = read(parsed_args, wanted)
    moment = cloud.find()
    decision, notes = make_scheduler(moment).explain(moment)
    return decision, wanted, [*notes, *cloud.notes]


@heard()
def simulate(
    parsed_args: argparse.Namespace
) -> tuple[Decision, list[str]]:
    """Return what a boot would have come to, and notes.

    :raises NovaExtError: the journal can't answer that.
    """
    scheduler, moment, like, known = _find_boot(parsed_args)
    decision, notes = scheduler.simulate(moment, like)
    return decision, [*notes, *known]


@heard()
def count(
    parsed_args: argparse.Namespace
) -> tuple[Capacity, list[str]]:
    """Return how many servers would have fitted, and notes.

    :raises NovaExtError: the journal can't answer that.
    """
    if parsed_args.max != 1:
        raise NovaExtError('servers are counted: leave out --max')
    scheduler, moment, like, known = _find_boot(parsed_args)
    capacity, notes = scheduler.count(moment, like)
    return capacity, [*notes, *known]


def _find_boot(
    parsed_args: argparse.Namespace
) -> tuple[Any, Moment, BootLike, list[str]]:
    """Return who decides, from when, about what; and notes on the journal."""
    refused = [
        f'--{name.replace("_", "-")}' for name in _REFUSED
        if getattr(parsed_args, name, None)
    ]
    if refused:
        raise NovaExtError(
            f'a journal does not answer {", ".join(refused)}; it takes '
            f'--flavor, --image, --availability-zone, --hint, --max and '
            f'--try-filter'
        )
    if not parsed_args.flavor:
        raise NovaExtError('give --flavor')
    if not 0 < parsed_args.max <= MAX_SERVERS:
        raise NovaExtError(
            f'--max is {parsed_args.max}, not 1 to {MAX_SERVERS}'
        )
    hints = boot.join_hints(parsed_args.hints)
    like = BootLike(
        parsed_args.flavor, parsed_args.image or '',
        parsed_args.availability_zone or '', {
            name: values if isinstance(values, list) else [values]
            for name, values in hints.items()
        }, count=parsed_args.max,
    )
    if 'group' in like.hints or ':' in like.zone:
        raise NovaExtError(
            'a journal does not answer for a server group, or a zone with a '
            'host'
        )
    cloud = read(parsed_args)
    moment = cloud.find_boot(like)
    scheduler = make_scheduler(
        moment, parsed_args.try_filter or (), has_cloud=cloud.has_cloud
    )
    return scheduler, moment, like, cloud.notes


def make_scheduler(
    moment: Moment | None, filters: Any = (), *, has_cloud: bool = False
) -> Any:
    """Return who decides with the configuration of a journal.

    :param has_cloud: see PastScheduler.
    :raises NovaExtError: Nova is not installed, or can't use it.
    """
    assert moment is not None  # noqa: S101  PastCloud refuses an empty one
    try:
        from nova_ext.scheduler.what_if.replay.past_scheduler import (
            PastScheduler,
        )
    except ImportError as error:
        raise NovaExtError(f'Nova is not installed here: {error}') from error
    try:
        return PastScheduler(moment, filters, has_cloud=has_cloud)
    except ImportError as error:
        raise NovaExtError(
            f'{error}; pip install \'nova-ext[scheduler,mirror]\' brings '
            f'numpy, which a journal of the mirror needs'
        ) from error


def _refuse_name() -> Any:
    raise NovaExtError('a journal has no names of servers')
