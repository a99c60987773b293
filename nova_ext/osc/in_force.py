"""openstack scheduler filter list, and weigher, driver and hint list."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from osc_lib.command import command

from nova_ext.core.progress import Progress


class _List(command.Lister):
    """A list of what decides."""

    kind: ClassVar[str]
    #: Columns, and the fields that they show.
    columns: ClassVar[Mapping[str, str]]

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Ask for it."""
        manager: Any = self.app.client_manager
        told = manager.scheduler.get(f'/v1/{self.kind}')
        for name in told.get('undeclared', ()):
            Progress().say(f'{name} may read any hint: it declares none')
        return list(self.columns), [
            tuple(_shown(key, one[key]) for key in self.columns.values())
            for one in told[self.kind]
        ]


class ListFilters(_List):
    """List the enabled filters, in the order in which they are asked."""

    kind = 'filters'
    columns: ClassVar = {'Name': 'name', 'Hints': 'hints', 'Source': 'source'}


class ListWeighers(_List):
    """List the weighers, with their multipliers."""

    kind = 'weighers'
    columns: ClassVar = {
        'Name': 'name', 'Multiplier': 'multiplier', 'Hints': 'hints',
        'Source': 'source',
    }


class ListDrivers(_List):
    """List the scheduler drivers, one a topic."""

    kind = 'drivers'
    columns: ClassVar = {
        'Topic': 'topic', 'Name': 'name', 'Hints': 'hints',
        'Source': 'source',
    }


class ListHints(_List):
    """List the scheduler hints that have an effect, and what reads them."""

    kind = 'hints'
    columns: ClassVar = {'Name': 'name', 'Read By': 'read_by'}


def _shown(key: str, value: Any) -> Any:
    if key == 'hints' and value is None:
        return 'unknown'
    return ', '.join(value) if isinstance(value, list) else value
