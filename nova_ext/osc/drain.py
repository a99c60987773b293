"""Run openstack scheduler drain preview."""

import argparse
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.core.explanation.text_format import pluralize
from nova_ext.core.rpc.move_request import Move
from nova_ext.core.rpc.rehearsal import MoveOutcome, Order
from nova_ext.osc import rehearsal, survey
from nova_ext.osc.survey import MovedServer, Rehearsed

#: From it on a migration to a named host is possible, live or not.
_MICROVERSION = '2.56'


class PreviewDrain(rehearsal.RehearsalLister):
    """Say where the servers of hosts would go if the hosts were drained.

    Servers that run are live-migrated in a rehearsal, those that are stopped
    are migrated, one after the other, each taking its room. Nothing is moved.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'hosts', metavar='<host>', nargs='+',
            help='host(s) to drain, all at one time',
        )
        parser.add_argument(
            '--then-host', metavar='<host>', action='append', default=[],
            help='host to drain after these have come back empty, as in a '
                 'rolling upgrade; repeat for further steps',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        orders = [parsed_args.order] if parsed_args.order else list(Order)
        hosts, before = parsed_args.hosts, list[MovedServer]()
        steps: list[tuple[list[str], Rehearsed]] = []
        for step in [hosts, *([host] for host in parsed_args.then_host)]:
            rehearsed = self.rehearse(
                step, orders, is_loss=False, before=before
            )
            steps.append((step, rehearsed))
            before += rehearsed[1]
        if parsed_args.then_host:
            return self._show_steps(steps)
        best, moves, placed, _ = steps[0][1]
        self.notes = commands = _write_commands(moves)
        return self.show_moves(
            _describe(moves), best, moves, placed, commands=commands
        )

    def _show_steps(
        self, steps: Sequence[tuple[list[str], Rehearsed]]
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Prepare the steps of a rolling upgrade for printing."""
        sentences, rows = [], []
        documents: list[dict[str, Any]] = []
        for number, (hosts, (best, moves, placed, _)) in enumerate(steps, 1):
            sentence = _describe(moves) + rehearsal.describe_orders(
                best, placed
            )
            sentences.append(
                f'step {number}, {", ".join(hosts)}: {sentence}'
            )
            rows += [(number, *rehearsal.make_row(move)) for move in moves]
            documents.append({
                'hosts': hosts, 'sentence': sentence, 'order': best,
                'placed': placed, 'moves': moves, 'commands': [
                    *_set_hosts('--disable', hosts), *_write_commands(moves),
                    *_set_hosts('--enable', hosts),
                ],
            })
        self.sentence = '\n'.join(sentences)
        self.notes = [
            line for number, step in enumerate(documents, 1)
            for line in (f'# step {number}', *step['commands'])
        ]
        self.document = {'sentence': self.sentence, 'steps': documents}
        return ('Step', *rehearsal.COLUMNS), rows


def _describe(moves: Sequence[MovedServer]) -> str:
    moving = survey.count(moves)[MoveOutcome.PLACED]
    return (
        f'of {pluralize(len(moves), "server")} {moving} would move, '
        f'{len(moves) - moving} would stay'
    )


def _write_commands(moves: Iterable[MovedServer]) -> list[str]:
    """Return the commands that do what was rehearsed, in its order."""
    return [
        shlex.join([
            'openstack', '--os-compute-api-version', _MICROVERSION, 'server',
            'migrate',
            *(['--live-migration'] if move['operation'] == Move.LIVE_MIGRATE
              else []),
            '--host', move['host'], move['server'],
        ]) for move in moves if move['outcome'] == MoveOutcome.PLACED
    ]


def _set_hosts(option: str, hosts: Iterable[str]) -> list[str]:
    return [
        shlex.join([
            'openstack', 'compute', 'service', 'set', option, host,
            'nova-compute',
        ]) for host in hosts
    ]
