"""Run openstack scheduler mirror list."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cliff.columns import FormattableColumn
from osc_lib import utils
from osc_lib.cli.format_columns import DictColumn, ListColumn
from osc_lib.command import command

from nova_ext.osc.arguments import get_client

_COLUMNS = (
    'Host', 'Worker', 'Mode', 'State', 'Age S', 'Hosts', 'Providers',
    'Providers Read', 'Decided', 'Verified', 'Differing', 'Fallbacks',
    'Refusing', 'Reason',
)
_NUMBERS = _COLUMNS[4:11]


class ListMirrors(command.Lister):
    """List the mirrors of all scheduler workers, and what they do."""

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        mirrors = get_client(self).get('/v1/mirrors')['mirrors']
        return _COLUMNS, map(_make_row, mirrors)


class _Number(FormattableColumn[Any]):
    """Show a number, or nothing where it is not known; JSON has null."""

    def human_readable(self) -> str:
        """Return it as text."""
        return '' if self._value is None else str(self._value)


def _make_row(mirror: Mapping[str, Any]) -> Any:
    return utils.get_dict_properties(
        {
            **mirror,
            'reason': mirror.get('reason', ''),
            'fallbacks': mirror.get('fallbacks', {}),
            'refusing': mirror.get('refusing', []),
            **{name: mirror.get(name) for name in map(_to_field, _NUMBERS)},
        },
        _COLUMNS,
        formatters={
            'Fallbacks': DictColumn, 'Refusing': ListColumn,
            **dict.fromkeys(_NUMBERS, _Number),
        },
    )


def _to_field(column: str) -> str:
    return column.lower().replace(' ', '_')
