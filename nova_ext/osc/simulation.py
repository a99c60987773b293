"""Run openstack scheduler simulate, and openstack scheduler capacity.

Both take the options of ``openstack server create``: to ask about a command
that failed, change its first words only.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from osc_lib.command import command

from nova_ext.cli import boot, capacity_text, move
from nova_ext.cli.api_client import build_query
from nova_ext.cli.server_create import ServerCreateLister, SimulationLister
from nova_ext.core.decision.decision import Decision

_COLUMNS = ('Of', 'Name', 'Least', 'Most')
SAMPLED = (
    'a sample: not every host that may come first was tried; the '
    'least may be less, and the most more'
)
COMPARED = (
    'a sample: {} may compare hosts, and hosts were filled one at a time; the '
    'least may be less, and the most more'
)


class _ApiLister(ServerCreateLister, command.Lister):
    """Send the options of server create to the API."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--try-multiplier', action='append', type=_parse_multiplier,
            metavar='<weigher=number>', default=[],
            help='use this multiplier of a weigher; repeat for several',
        )
        parser.add_argument(
            '--try-driver', metavar='<driver>',
            help='use this scheduler driver',
        )
        return parser

    def post(
        self, path: str, parsed_args: argparse.Namespace, count: int
    ) -> tuple[Any, list[str]]:
        """Return the answer, and notes on what was left out of the request.

        :param count: number of servers.
        """
        manager: Any = self.app.client_manager
        request, notes = boot.build_request(
            manager.sdk_connection, parsed_args
        )
        return manager.scheduler.post(path, {
            'request': {**request, 'count': count},
            'changes': _list_changes(parsed_args),
        }), notes


class Simulate(SimulationLister, _ApiLister):
    """Say where servers would go; take the options of server create.

    With --server and --operation, say where Nova would move a server.
    """

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        before = self._get_decision(parsed_args.instead_of)
        if move.is_move(parsed_args):
            notes: list[str] = []
            answer = self._post_move(parsed_args)
        else:
            answer, notes = self.post(
                '/v1/simulations', parsed_args, parsed_args.max
            )
        explanation = answer['simulation']
        return self.show_simulation(
            explanation, Decision.from_dict(explanation['decision']), before,
            notes, weights=parsed_args.weights,
        )

    def _post_move(self, parsed_args: argparse.Namespace) -> Any:
        manager: Any = self.app.client_manager
        return manager.scheduler.post('/v1/simulations', {
            'move': move.build_request(manager.sdk_connection, parsed_args),
            'changes': _list_changes(parsed_args),
        })

    def _get_decision(self, text: str | None) -> Decision | None:
        if not text:
            return None
        manager: Any = self.app.client_manager
        explanation = manager.scheduler.explain_newest(
            **build_query(manager, text)
        )
        return Decision.from_dict(explanation['decision'])


class Capacity(_ApiLister):
    """Say how many more servers fit; take the options of server create."""

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        answer, notes = self.post('/v1/capacities', parsed_args, 1)
        capacity = answer['capacity']
        decision = capacity['decision']
        self.sentence = capacity_text.summarize(capacity)
        # nova-ext-api may be an older one, and not know these.
        if comparing := capacity.get('comparing'):
            notes.append(COMPARED.format(', '.join(comparing)))
        elif capacity.get('sampled'):
            notes.append(SAMPLED)
        if not capacity['total']['most'] and decision:
            notes += [decision['sentence'], *decision['notes']]
        self.notes = notes
        self.document = {
            'sentence': self.sentence, 'notes': notes, **capacity
        }
        return _COLUMNS, list(_to_rows(capacity))


def _list_changes(parsed_args: argparse.Namespace) -> dict[str, Any]:
    changes = {
        'filters': parsed_args.try_filter,
        'multipliers': dict(parsed_args.try_multiplier),
        'driver': parsed_args.try_driver,
    }
    return {name: value for name, value in changes.items() if value}


def _to_rows(capacity: Mapping[str, Any]) -> Iterable[tuple[Any, ...]]:
    for kind in ('zone', 'aggregate', 'host'):
        for name, room in capacity[f'{kind}s'].items():
            yield kind, name, room['least'], room['most']


def _parse_multiplier(text: str) -> tuple[str, float]:
    weigher, _, number = text.partition('=')
    try:
        return weigher, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f'{text!r}: write WEIGHER=NUMBER'
        ) from None
