"""Commands that are typed as ``openstack server create`` is."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nova_ext.cli import server_create
from nova_ext.cli.explanation import ExplanationLister
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import counterfactual
from nova_ext.core.explanation.text_format import clean


class AsCreated(ExplanationLister):
    """Asks about a server that ``server create`` would create.

    That shows one server: its formats are known here, too, and its columns
    don't stand in the way.
    """

    @property
    def formatter_namespace(self) -> str:
        """Cliff's formats of a list, and shell."""
        return 'nova_ext.what_if.formats'

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Its options, and what is to be tried."""
        parser = super().get_parser(prog_name)
        server_create.add(parser)
        parser.add_argument(
            '--try-filter', action='append', metavar='<filter>',
            help='with this filter, and others that are given so, in place '
                 'of those that are enabled; repeat for several',
        )
        return parser

    def _generate_columns_and_selector(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str]
    ) -> tuple[list[str], list[bool] | None]:
        """All columns where none is there of those that are asked for."""
        try:
            return super()._generate_columns_and_selector(
                parsed_args, column_names
            )
        except ValueError:
            return list(column_names), None


class Simulating(AsCreated):
    """Tells where that server would go."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """The form of the answer."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--instead-of', metavar='<server|request>',
            help='compare with the newest recorded decision about a server '
                 '(name or ID) or a request (ID, req-…)',
        )
        parser.add_argument(
            '--weights', action='store_true',
            help='list what each weigher said of the hosts that passed',
        )
        return parser

    def simulated(
        self, told: Mapping[str, Any], decision: Decision,
        before: Decision | None, notes: Sequence[str], *, weights: bool,
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Have it printed.

        :param told: the simulation, explained.
        :param decision: the simulation.
        :param before: the decision to compare with.
        :param notes: what the simulation lacks.
        :param weights: as :meth:`explanation` takes it.
        """
        if before:
            between = counterfactual.between(before, decision)
            notes = [clean(between), *notes]
        return self.explanation(told, notes, weights=weights)
