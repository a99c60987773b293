"""Rehearse moves of servers, and run openstack scheduler survive."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from osc_lib.command import command

from nova_ext.cli.output import DocumentLister
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.core.rpc.rehearsal import MoveOutcome, Order
from nova_ext.osc import losses, lost_hosts, racks, survey
from nova_ext.osc.arguments import get_client
from nova_ext.osc.survey import Loss, MovedServer, Rehearsed

COLUMNS = ('Server', 'Name', 'Flavor', 'From', 'To', 'Outcome', 'Reason')
_LOCAL_DISK = (
    ' ({} without the local disk, unless the hosts share storage)'
)


class RehearsalLister(DocumentLister, command.Lister):
    """Rehearse until all servers have moved."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--order', choices=[str(order) for order in Order],
            help='order in which the servers move; by default all are tried '
                 'until every server finds a host, and the best is shown',
        )
        return parser

    def rehearse(
        self, hosts: Sequence[str], orders: Sequence[str], *, is_loss: bool,
        before: Sequence[MovedServer] = (),
    ) -> Rehearsed:
        """Return what becomes of the servers; see :func:`.survey.rehearse`."""
        return survey.rehearse(
            get_client(self), hosts, orders, Progress(self.app.stderr),
            is_loss=is_loss, before=before,
        )

    def show_moves(
        self, sentence: str, best: str, moves: list[MovedServer],
        placed: Mapping[str, int], **more: Any,
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Prepare moves for printing."""
        self.sentence = sentence + describe_orders(best, placed)
        self.document = {
            'sentence': self.sentence, 'order': best, 'placed': dict(placed),
            'moves': moves, **more,
        }
        return COLUMNS, map(make_row, moves)


class Survive(RehearsalLister):
    """Say what becomes of the servers if hosts are lost.

    Each server is evacuated in a rehearsal, one after the other, each taking
    its room. Nothing is evacuated.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--lose', nargs='+', required=True, metavar='<host>',
            help='hosts that are lost together; or "aggregate", "zone" or '
                 '"rack" and a name; or "any-host" or "any-rack", each of '
                 'which is lost alone, the worst first',
        )
        racks.add_options(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        manager: Any = self.app.client_manager
        lost = lost_hosts.find(
            manager.sdk_connection, parsed_args.lose, parsed_args
        )
        orders = [parsed_args.order] if parsed_args.order else list(Order)
        if parsed_args.lose[0] in (lost_hosts.ANY_HOST, lost_hosts.ANY_RACK):
            return self._survey(lost, orders, lost_hosts.note_others(
                manager.sdk_connection, lost
            ))
        hosts, = lost.values()
        best, moves, placed, spare = self.rehearse(
            hosts, orders, is_loss=True
        )
        return self.show_moves(
            _describe_loss(moves) + losses.describe_spare(spare), best,
            moves, placed, spare=spare,
        )

    def _survey(
        self, hosts: Mapping[str, Sequence[str]], orders: Sequence[str],
        notes: Sequence[str],
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Have each loss decided by the engine, or else by Nova's code."""
        answer = survey.survey(
            get_client(self), hosts, orders, Progress(self.app.stderr)
        )
        self.notes = [*notes, losses.describe_shares(answer)]
        return self._show_losses(answer.losses)

    def _show_losses(
        self, decided: Sequence[Loss]
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Prepare losses for printing, the worst first."""
        ordered = losses.sort(decided)
        missing = 0
        if ordered:
            worst = ordered[0]
            missing = worst['servers'] - worst['back']
        self.sentence = (
            f'at worst {pluralize(missing, "server")} would not come back, '
            f'after the loss of {worst["lost"]}'
            f'{losses.describe_spare(worst["spare"])}' if missing
            else 'every server would come back after each loss'
        )
        self.document = {'sentence': self.sentence, 'losses': [
            {name: loss[name] for name in losses.NAMES} for loss in ordered
        ]}
        return losses.COLUMNS, losses.make_rows(ordered)


def _describe_loss(moves: Sequence[MovedServer]) -> str:
    counts = survey.count(moves)
    parts = [f'{counts[MoveOutcome.PLACED]} would come back']
    local = sum(
        move['has_local_disk'] for move in moves
        if move['outcome'] == MoveOutcome.PLACED
    )
    if local:
        parts[0] += _LOCAL_DISK.format(local)
    parts += [
        f'{counts[outcome]} {words}' for outcome, words in (
            (MoveOutcome.NO_HOST, 'would find no host'),
            (MoveOutcome.REFUSED, 'would be refused by Nova'),
        ) if counts[outcome]
    ]
    return f'of {pluralize(len(moves), "server")} {", ".join(parts)}'


def describe_orders(best: str, placed: Mapping[str, int]) -> str:
    """Return a clause on the best order; empty if it does not matter."""
    if len(set(placed.values())) < 2:
        return ''
    counts = ', '.join(f'{order} {number}' for order, number in placed.items())
    return f'; best found: order {best} ({counts})'


def make_row(move: MovedServer) -> tuple[str, ...]:
    """Return a row of COLUMNS."""
    return (
        move['server'], sanitize(move['name']), sanitize(move['flavor']),
        move['source'], move['host'], move['outcome'],
        sanitize(move['reason']),
    )
