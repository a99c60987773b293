"""openstack scheduler simulate, and openstack scheduler capacity.

Both take the very options of ``openstack server create``: a command that
failed is asked about by other words at its beginning.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from osc_lib.command import command

from nova_ext.cli import boot
from nova_ext.cli.as_created import AsCreated, Simulating
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation.text_format import many
from nova_ext.osc import decision_queries

ROOM_COLUMNS = ('Of', 'Name', 'Least', 'Most')
SAMPLED = (
    'a sample: of the hosts that chance may take first not all were tried; '
    'the least may be less, and the most more'
)


class _Asking(AsCreated, command.Lister):
    """Asks the API."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """What else is to be tried."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--try-multiplier', action='append', type=_multiplier,
            metavar='<weigher=number>', default=[],
            help='with another multiplier of a weigher; repeat for several',
        )
        parser.add_argument(
            '--try-driver', metavar='<driver>',
            help='with another scheduler driver',
        )
        return parser

    def ask(
        self, path: str, parsed_args: argparse.Namespace, count: int
    ) -> tuple[Any, list[str]]:
        """Ask the API about it.

        :param count: of servers.
        :returns: its answer, and what the cloud did not tell.
        """
        manager: Any = self.app.client_manager
        request, notes = boot.request(manager.sdk_connection, parsed_args)
        changes = {
            'filters': parsed_args.try_filter,
            'multipliers': dict(parsed_args.try_multiplier),
            'driver': parsed_args.try_driver,
        }
        return manager.scheduler.post(path, {
            'request': {**request, 'count': count},
            'changes': {
                name: value for name, value in changes.items() if value
            },
        }), notes


class Simulate(Simulating, _Asking):
    """Say where servers would go; takes what server create takes."""

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Have it simulated."""
        before = self._before(parsed_args.instead_of)
        answer, notes = self.ask(
            '/v1/simulations', parsed_args, parsed_args.max
        )
        told = answer['simulation']
        return self.simulated(
            told, Decision.from_dict(told['decision']), before, notes,
            weights=parsed_args.weights,
        )

    def _before(self, named: str | None) -> Decision | None:
        """The decision to compare with."""
        if not named:
            return None
        manager: Any = self.app.client_manager
        told, _ = decision_queries.newest(
            manager.scheduler, **decision_queries.about(manager, named)
        )
        return Decision.from_dict(told['decision'])


class Capacity(_Asking):
    """Say how many more servers fit; takes what server create takes."""

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Have them counted."""
        answer, notes = self.ask('/v1/capacities', parsed_args, 1)
        told = answer['capacity']
        decision = told['decision']
        self.sentence = _fit(told)
        if told.get('sampled'):  # nova-ext-api may be an older one
            notes.append(SAMPLED)
        if not told['total']['most'] and decision:
            notes += [decision['sentence'], *decision['notes']]
        self.notes = notes
        self.whole = {'sentence': self.sentence, 'notes': notes, **told}
        return ROOM_COLUMNS, list(_rows(told))


def _fit(told: Mapping[str, Any]) -> str:
    """How many, and what runs out, in one line."""
    least, most = told['total']['least'], told['total']['most']
    number = str(most) if least == most else f'{least} to {most}'
    if told['bounded']:
        number = f'at least {number}'
    first = [
        f'{reason} on {many(count, "host")}'
        for reason, count in told['full'].items()
    ]
    return f'{number} more fit' + (
        f'; first runs out {", ".join(first)}' if first else ''
    )


def _rows(told: Mapping[str, Any]) -> Iterable[tuple[Any, ...]]:
    for of, name in (
        ('zone', 'zones'), ('aggregate', 'aggregates'), ('host', 'hosts')
    ):
        for each, room in told[name].items():
            yield of, each, room['least'], room['most']


def _multiplier(text: str) -> tuple[str, float]:
    weigher, _, number = text.partition('=')
    try:
        return weigher, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f'{text!r}: write WEIGHER=NUMBER'
        ) from None
