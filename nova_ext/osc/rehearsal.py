"""Rehearse moves of servers, and run openstack scheduler survive."""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from osc_lib.command import command

from nova_ext.cli.output import DocumentLister
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.core.rpc.rehearsal import MoveOutcome, Order
from nova_ext.osc import lost_hosts, racks
from nova_ext.osc.arguments import get_client

COLUMNS = ('Server', 'Name', 'Flavor', 'From', 'To', 'Outcome', 'Reason')
_SUMMARY_COLUMNS = ('Lost', 'Servers', 'Back', 'No Host', 'Refused')
_LOCAL_DISK = (
    ' ({} without the local disk, unless the hosts share storage)'
)

Move = Mapping[str, Any]
#: The best order, its moves, and how many servers each order places.
Rehearsed = tuple[str, list[Move], dict[str, int]]


class RehearsalLister(DocumentLister, command.Lister):
    """Rehearse until all servers have moved."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the order."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--order', choices=list(Order),
            help='order in which the servers move; by default all are tried '
                 'until every server finds a host, and the best is shown',
        )
        return parser

    def rehearse(
        self, hosts: Sequence[str], orders: Sequence[str], *, is_loss: bool,
        before: Sequence[Move] = (),
    ) -> Rehearsed:
        """Return the best order, its moves, and how many each order places.

        An order in which every server finds a host ends the search.

        :param orders: that are tried; the first of equally good ones is best.
        :param before: moves of earlier steps.
        """
        moves, placed = {}, {}
        for order in orders:
            moves[order] = self._rehearse_order({
                'hosts': hosts, 'is_loss': is_loss, 'order': order,
                **({'before': before} if before else {}),
            })
            placed[order] = count(moves[order])[MoveOutcome.PLACED]
            if placed[order] == len(moves[order]):
                break
        best = max(placed, key=lambda order: placed[order])
        return best, moves[best], placed

    def _rehearse_order(self, request: Mapping[str, Any]) -> list[Move]:
        moves: list[Move] = []
        remaining = 1
        progress = Progress(self.app.stderr)
        with progress.step(
            f'{", ".join(request["hosts"])}, {request["order"]}'
        ):
            while remaining:
                answer = get_client(self).post('/v1/rehearsals', {
                    'rehearsal': {**request, 'moved': moves},
                })['rehearsal']
                moves += answer['moves']
                remaining = answer['remaining']
                progress.detail(f'{remaining} servers remain')
        return moves

    def show_moves(
        self, sentence: str, best: str, moves: list[Move],
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
        """Add what is lost."""
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
        """Rehearse the loss."""
        manager: Any = self.app.client_manager
        losses = lost_hosts.find(
            manager.sdk_connection, parsed_args.lose, parsed_args
        )
        orders = [parsed_args.order] if parsed_args.order else list(Order)
        rehearsals = {
            lost: self.rehearse(hosts, orders, is_loss=True)
            for lost, hosts in losses.items()
        }
        if parsed_args.lose[0] in (lost_hosts.ANY_HOST, lost_hosts.ANY_RACK):
            return self._show_losses(rehearsals)
        (best, moves, placed), = rehearsals.values()
        return self.show_moves(_describe_loss(moves), best, moves, placed)

    def _show_losses(
        self, rehearsals: Mapping[str, Rehearsed]
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Prepare losses for printing, the worst first."""
        rows = []
        for lost, (_, moves, _) in rehearsals.items():
            counts = count(moves)
            rows.append((
                lost, len(moves), counts[MoveOutcome.PLACED],
                counts[MoveOutcome.NO_HOST], counts[MoveOutcome.REFUSED],
            ))
        rows.sort(key=lambda row: (row[2] - row[1], row[0]))
        worst = rows[0] if rows else ('', 0, 0, 0, 0)
        missing = worst[1] - worst[2]
        self.sentence = (
            f'at worst {pluralize(missing, "server")} would not come back, '
            f'after the loss of {worst[0]}' if missing
            else 'every server would come back after each loss'
        )
        self.document = {
            'sentence': self.sentence,
            'losses': [
                dict(zip(
                    ('lost', 'servers', 'back', 'no_host', 'refused'), row,
                    strict=True,
                )) for row in rows
            ],
        }
        return _SUMMARY_COLUMNS, rows


def _describe_loss(moves: Sequence[Move]) -> str:
    counts = count(moves)
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


def count(moves: Iterable[Move]) -> Counter[str]:
    return Counter(move['outcome'] for move in moves)


def make_row(move: Move) -> tuple[str, ...]:
    return (
        move['server'], sanitize(move['name']), sanitize(move['flavor']),
        move['source'], move['host'], move['outcome'],
        sanitize(move['reason']),
    )
