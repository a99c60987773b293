"""Run openstack scheduler survive, and openstack scheduler drain preview."""

import argparse
import shlex
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from osc_lib.command import command

from nova_ext.cli.output import DocumentLister
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.core.rpc.rehearsal import MoveOutcome, Order
from nova_ext.osc import losses as surveys
from nova_ext.osc import lost_hosts
from nova_ext.osc.arguments import get_client

_COLUMNS = ('Server', 'Name', 'Flavor', 'From', 'To', 'Outcome', 'Reason')
_LOCAL_DISK = (
    ' ({} without the local disk, unless the hosts share storage)'
)

Move = Mapping[str, Any]
#: Hosts that would be missing, as the API has them.
Spare = Mapping[str, Any] | None


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
    ) -> tuple[str, list[Move], dict[str, int], Spare]:
        """Return the best order, its moves, and how many each order places.

        An order in which every server finds a host ends the search. What
        comes last is what the API says would be missing.

        :param orders: that are tried; the first of equally good ones is best.
        """
        moves, placed, spare = {}, {}, {}
        for order in orders:
            moves[order], spare[order] = self._rehearse_order(
                hosts, order, is_loss=is_loss
            )
            placed[order] = _count(moves[order])[MoveOutcome.PLACED]
            if placed[order] == len(moves[order]):
                break
        best = max(placed, key=lambda order: placed[order])
        return best, moves[best], placed, spare[best]

    def _rehearse_order(
        self, hosts: Sequence[str], order: str, *, is_loss: bool
    ) -> tuple[list[Move], Spare]:
        moves: list[Move] = []
        remaining = 1
        spare = None
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
                remaining, spare = answer['remaining'], answer['spare']
                progress.detail(f'{remaining} servers remain')
        return moves, spare

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
        parser.add_argument(
            '--rack-key', metavar='<key>', default='rack',
            help='key of aggregates\' metadata whose value names a rack '
                 '(default: rack)',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Rehearse the loss."""
        manager: Any = self.app.client_manager
        losses = lost_hosts.find(
            manager.sdk_connection.compute, parsed_args.lose,
            parsed_args.rack_key,
        )
        orders = [parsed_args.order] if parsed_args.order else list(Order)
        if parsed_args.lose[0] in (lost_hosts.ANY_HOST, lost_hosts.ANY_RACK):
            return self._survey(losses, orders)
        hosts, = losses.values()
        best, moves, placed, spare = self.rehearse(
            hosts, orders, is_loss=True
        )
        return self.show_moves(
            _describe_loss(moves) + surveys.describe_spare(spare), best,
            moves, placed, spare=spare,
        )

    def _survey(
        self, losses: Mapping[str, Sequence[str]], orders: Sequence[str]
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Have each loss decided by the engine, or else by Nova's code."""
        began = time.monotonic()
        survey = surveys.ask(
            get_client(self), losses, orders, Progress(self.app.stderr)
        )
        halfway = time.monotonic()
        decided = list(survey.decided)
        by_engine = sum(loss['servers'] for loss in decided)
        by_nova = 0
        for lost in survey.left:
            best, moves, placed, spare = self.rehearse(
                losses[lost], orders, is_loss=True
            )
            counts = _count(moves)
            by_nova += len(moves)
            decided.append({
                'lost': lost, 'servers': len(moves), 'order': best,
                'back': counts[MoveOutcome.PLACED],
                'no_host': counts[MoveOutcome.NO_HOST],
                'refused': counts[MoveOutcome.REFUSED], 'placed': placed,
                'spare': spare,
            })
        self.notes = [surveys.describe_shares(
            by_engine, halfway - began, by_nova, time.monotonic() - halfway
        ) + f' ({survey.reason})' * bool(survey.reason)]
        return self._show_losses(decided)

    def _show_losses(
        self, losses: Sequence[Mapping[str, Any]]
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Prepare losses for printing, the worst first."""
        ordered = surveys.sort(losses)
        missing = 0
        if ordered:
            worst = ordered[0]
            missing = worst['servers'] - worst['back']
        self.sentence = (
            f'at worst {pluralize(missing, "server")} would not come back, '
            f'after the loss of {worst["lost"]}'
            f'{surveys.describe_spare(worst["spare"])}' if missing
            else 'every server would come back after each loss'
        )
        self.document = {'sentence': self.sentence, 'losses': [
            {name: loss[name] for name in surveys.NAMES} for loss in ordered
        ]}
        return surveys.COLUMNS, map(surveys.make_row, ordered)


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
        best, moves, placed, _ = self.rehearse(
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
