"""Run openstack scheduler survive, and openstack scheduler drain preview."""

import argparse
import shlex
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

_COLUMNS = ('Server', 'Name', 'Flavor', 'From', 'To', 'Outcome', 'Reason')
_SUMMARY_COLUMNS = ('Lost', 'Servers', 'Back', 'No Host', 'Refused')
_LOCAL_DISK = (
    ' ({} without the local disk, unless the hosts share storage)'
)

Move = Mapping[str, Any]


class _RehearsalLister(DocumentLister, command.Lister):
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
        self, hosts: Sequence[str], orders: Sequence[str], *, is_loss: bool
    ) -> tuple[str, list[Move], dict[str, int]]:
        """Return the best order, its moves, and how many each order places.

        An order in which every server finds a host ends the search.


        :param orders: that are tried; the first of equally good ones is best.
        """
        moves, placed = {}, {}
        for order in orders:
            moves[order] = self._rehearse_order(hosts, order, is_loss=is_loss)
            placed[order] = _count(moves[order])[MoveOutcome.PLACED]
            if placed[order] == len(moves[order]):
                break
        best = max(placed, key=lambda order: placed[order])
        return best, moves[best], placed

    def _rehearse_order(
        self, hosts: Sequence[str], order: str, *, is_loss: bool
    ) -> list[Move]:
        moves: list[Move] = []
        remaining = 1
        progress = Progress(self.app.stderr)
        with progress.step(f'{", ".join(hosts)}, {order}'):
            while remaining:
                answer = get_client(self).post('/v1/rehearsals', {
                    'rehearsal': {
                        'hosts': hosts, 'is_loss': is_loss, 'order': order,
                        'moved': moves,
                    },
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
        self.sentence = sentence
        if len(set(placed.values())) > 1:
            counts = ', '.join(
                f'{order} {count}' for order, count in placed.items()
            )
            self.sentence += f'; best found: order {best} ({counts})'
        self.document = {
            'sentence': self.sentence, 'order': best, 'placed': dict(placed),
            'moves': moves, **more,
        }
        return _COLUMNS, map(_make_row, moves)


class Survive(_RehearsalLister):
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
        self, rehearsals: Mapping[str, tuple[str, list[Move], Any]]
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Prepare losses for printing, the worst first."""
        rows = []
        for lost, (_, moves, _) in rehearsals.items():
            counts = _count(moves)
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


class PreviewDrain(_RehearsalLister):
    """Say where the servers of hosts would go if the hosts were drained.

    Servers that run are live-migrated in a rehearsal, those that are stopped
    are migrated, one after the other, each taking its room. Nothing is moved.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the hosts."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'hosts', metavar='<host>', nargs='+',
            help='host(s) to drain, all at one time',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Rehearse the moves, and write their commands."""
        orders = [parsed_args.order] if parsed_args.order else list(Order)
        best, moves, placed = self.rehearse(
            parsed_args.hosts, orders, is_loss=False
        )
        commands = [
            _write_command(move) for move in moves
            if move['outcome'] == MoveOutcome.PLACED
        ]
        self.notes = commands
        staying = len(moves) - len(commands)
        return self.show_moves(
            f'of {pluralize(len(moves), "server")} {len(commands)} would '
            f'move, {staying} would stay', best, moves, placed,
            commands=commands,
        )


def _describe_loss(moves: Sequence[Move]) -> str:
    counts = _count(moves)
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


def _count(moves: Iterable[Move]) -> Counter[str]:
    return Counter(move['outcome'] for move in moves)


def _make_row(move: Move) -> tuple[str, ...]:
    return (
        move['server'], sanitize(move['name']), sanitize(move['flavor']),
        move['source'], move['host'], move['outcome'],
        sanitize(move['reason']),
    )


def _write_command(move: Move) -> str:
    live = ['--live-migration'] * (move['operation'] == 'live-migrate')
    return shlex.join([
        'openstack', 'server', 'migrate', *live, '--host', move['host'],
        move['server'],
    ])
