"""Run openstack scheduler filter, weigher, cost, driver and hint list."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from osc_lib import utils
from osc_lib.cli.format_columns import ListColumn
from osc_lib.command import command

from nova_ext.core.base.progress import Progress
from nova_ext.osc.arguments import get_client


class _Hints(ListColumn):
    """Show the hints that a plugin declares, or that it declares none."""

    def human_readable(self) -> Any:
        """Return text for a table."""
        return 'unknown' if self._value is None else super().human_readable()

    def machine_readable(self) -> Any:
        """Return a list, or None where nothing is declared."""
        return None if self._value is None else super().machine_readable()


class _List(command.Lister):
    """List the plugins of one kind."""

    kind: ClassVar[str]
    #: Titles of the columns.
    columns: ClassVar[Sequence[str]]

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        answer = get_client(self).get(f'/v1/{self.kind}')
        if 'decided_at' in answer:
            Progress().say(
                f'no nova-ext-scheduler answers: these ran in a decision of '
                f'{answer["decided_at"]} on {answer["scheduler"]}; their '
                f'hints and classes are not recorded'
            )
        for name in answer.get('undeclared', ()):
            Progress().say(f'{name} may read any hint: it declares none')
        lists = {'Hints': _Hints, 'Read By': ListColumn}
        return self.columns, [
            utils.get_dict_properties(item, self.columns, formatters=lists)
            for item in answer[self.kind]
        ]


class ListFilters(_List):
    """List the enabled filters, in the order in which they run."""

    kind = 'filters'
    columns = ('Name', 'Hints', 'Source')


class ListWeighers(_List):
    """List the weighers, with their multipliers."""

    kind = 'weighers'
    columns = ('Name', 'Multiplier', 'Hints', 'Source')


class ListCosts(_List):
    """List the costs that are added up for offers, with their weights."""

    kind = 'costs'
    columns = ('Name', 'Weight', 'Hints', 'Source')


class ListDrivers(_List):
    """List the scheduler drivers, one a topic."""

    kind = 'drivers'
    columns = ('Topic', 'Name', 'Hints', 'Source')


class ListHints(_List):
    """List the scheduler hints that have an effect, and what reads them."""

    kind = 'hints'
    columns = ('Name', 'Read By')
