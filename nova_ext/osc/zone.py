"""Run openstack scheduler zone list, create, show, set, delete and info."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cliff.columns import FormattableColumn
from osc_lib.command import command

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.stats import capabilities as caps
from nova_ext.core.stats import zone_capabilities
from nova_ext.osc.client import Client

LIST_COLUMNS = ('ID', 'Name', 'Is Active', 'Capabilities', 'API URL')
#: Fields that options set, by the option's destination.
_FIELDS = ('name', 'url', 'cloud', 'weight_scale', 'weight_offset', 'disabled')

Row = tuple[Sequence[str], Sequence[Any]]


class _General(FormattableColumn[Any]):
    """Show general capabilities as text; in JSON as the API has them."""

    def human_readable(self) -> str:
        """Return ``key=value;value, key=value``."""
        return caps.format_text({
            key: summary.get('values', ())
            for key, summary in self._value.items()
        })


class _Services(FormattableColumn[Any]):
    """Show capabilities of services, a line each; in JSON as they are."""

    def human_readable(self) -> str:
        """Return ``<service>_<capability> = min,max``."""
        return '\n'.join(
            f'{name} = {text}' for name, text
            in zone_capabilities.list_rows(self._value).items()
        )


class _ShowOne(command.ShowOne):
    """Show an object as a table of properties and values."""

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Sequence[Any],
    ) -> int:
        """Name the columns of the table."""
        if parsed_args.formatter != self.formatter_default:
            return super().produce_output(parsed_args, column_names, data)
        names, selector = self._generate_columns_and_selector(
            parsed_args, column_names
        )
        values = self._compress_iterable(data, selector) if selector else data
        # cliff's tables show lists, too.
        formatter: Any = self.formatter
        formatter.emit_list(
            ('Property', 'Value'), list(zip(names, values, strict=True)),
            self.app.stdout, parsed_args,
        )
        return 0


class ListZones(command.Lister):
    """List the child zones."""

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Request the list."""
        return LIST_COLUMNS, [
            (
                zone['id'], zone['name'], zone['is_active'],
                _General(zone['capabilities']['general']), zone['url'],
            ) for zone in _get_client(self).list_zones()
        ]


class CreateZone(_ShowOne):
    """Add a child zone, which is connected to a short while later."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the arguments."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'name', metavar='<name>', help='Name of the zone, here',
        )
        _add_fields(parser, required=True)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> Row:
        """Send the zone."""
        return _show(_get_client(self).create_zone(_read_fields(parsed_args)))


class ShowZone(_ShowOne):
    """Show a child zone."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the argument."""
        parser = super().get_parser(prog_name)
        _add_zone(parser)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> Row:
        """Request the zone."""
        return _show(_get_client(self).find_zone(parsed_args.zone))


class SetZone(command.Command):
    """Change, disable or enable a child zone."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the arguments."""
        parser = super().get_parser(prog_name)
        _add_zone(parser)
        parser.add_argument(
            '--name', metavar='<name>', help='New name of the zone, here'
        )
        _add_fields(parser, required=False)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Send what changes."""
        fields = _read_fields(parsed_args)
        if not fields:
            raise NovaExtError('nothing to set: name an option')
        client = _get_client(self)
        client.update_zone(client.find_zone(parsed_args.zone)['id'], fields)


class DeleteZone(command.Command):
    """Delete child zones here; nothing changes in them."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the argument."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'zones', metavar='<zone>', nargs='+',
            help='Zone(s) to delete (name or ID)',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Look all of them up, and then delete them."""
        client = _get_client(self)
        numbers = {
            client.find_zone(text)['id'] for text in parsed_args.zones
        }
        for number in sorted(numbers):
            client.delete_zone(number)


class ShowZoneInfo(_ShowOne):
    """Show the name and the capabilities of this zone."""

    def take_action(self, parsed_args: argparse.Namespace) -> Row:
        """Request them."""
        zone = _get_client(self).get_zone_info()
        capabilities = zone['capabilities']
        rows = {
            **{key: ';'.join(summary.get('values', ()))
               for key, summary in capabilities['general'].items()},
            **zone_capabilities.list_rows(capabilities['services']),
            # A capability may have one of these names.
            'name': zone['name'], 'uuid': zone['uuid'],
            'gathering': zone['gathering'],
        }
        return _sort(rows)


def _get_client(run: command.Command) -> Client:
    manager: Any = run.app.client_manager
    return manager.scheduler


def _add_zone(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        'zone', metavar='<zone>', help='Zone (name or ID)'
    )


def _add_fields(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        '--url', metavar='<url>', required=required,
        help='URL of the zone\'s nova-ext-api',
    )
    parser.add_argument(
        '--cloud', metavar='<cloud>', required=required,
        help='Name of the credentials, in the clouds.yaml of '
             'nova-ext-zone-poller',
    )
    parser.add_argument(
        '--weight-scale', metavar='<number>', type=float,
        help='Factor of the zone\'s costs (default: 1)',
    )
    parser.add_argument(
        '--weight-offset', metavar='<number>', type=float,
        help='Number added to the zone\'s costs (default: 0)',
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        '--disable', dest='disabled', action='store_true', default=None,
        help='Send no new servers to the zone; it is still polled',
    )
    group.add_argument(
        '--enable', dest='disabled', action='store_false', default=None,
        help='Use the zone again',
    )


def _read_fields(parsed_args: argparse.Namespace) -> dict[str, Any]:
    return {
        name: value for name in _FIELDS
        if (value := getattr(parsed_args, name)) is not None
    }


def _show(zone: Mapping[str, Any]) -> Row:
    capabilities = zone['capabilities']
    rows = {
        **zone, 'capabilities': _General(capabilities['general']),
        'service_capabilities': _Services(capabilities['services']),
    }
    return _sort(rows)


def _sort(rows: Mapping[str, Any]) -> Row:
    names = sorted(rows)
    return names, [rows[name] for name in names]
