"""Run openstack scheduler zone list, create, show, set, delete and info."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cliff.columns import FormattableColumn
from osc_lib.command import command

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.stats import capabilities as caps
from nova_ext.core.stats import zone_capabilities
from nova_ext.osc.arguments import add_deleted, add_object
from nova_ext.zones.osc.client import get_client

LIST_COLUMNS = ('ID', 'Name', 'Is Active', 'Capabilities', 'API URL')
#: Fields that options set, by the option's destination.
_FIELDS = (
    'name', 'url', 'cloud', 'weight_scale', 'weight_offset', 'disabled',
    'shared',
)
_SHARED = (
    'warning: servers of all projects will be in one project of the zone, '
    'side by side: their networks and quotas are shared there\n'
)

Row = tuple[Sequence[str], Sequence[Any]]


class _General(FormattableColumn[Any]):
    """Show general capabilities as text; in JSON as the API has them."""

    def human_readable(self) -> str:
        """Return ``key=value;value, key=value``."""
        return caps.format_text({
            key: summary.get('values', ())
            for key, summary in self._value.items()
        })


class _Projects(FormattableColumn[Any]):
    """Show projects and the names of their credentials, a line each."""

    def human_readable(self) -> str:
        """Return ``<project> = <cloud>``."""
        return '\n'.join(
            f'{project} = {cloud}'
            for project, cloud in sorted(self._value.items())
        )


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
        return LIST_COLUMNS, [
            (
                zone['id'], zone['name'], zone['is_active'],
                _General(zone['capabilities']['general']), zone['url'],
            ) for zone in get_client(self).list_zones()
        ]


class CreateZone(_ShowOne):
    """Add a child zone, which is connected to a short while later."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'name', metavar='<name>', help='Name of the zone, here',
        )
        _add_fields(parser, required=True)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> Row:
        fields = _read_fields(parsed_args)
        _warn(self, fields)
        return _show(get_client(self).create_zone(fields))


class ShowZone(_ShowOne):
    """Show a child zone."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_object(parser, 'zone')
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> Row:
        return _show(get_client(self).find_zone(parsed_args.zone))


class SetZone(command.Command):
    """Change, disable or enable a child zone."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_object(parser, 'zone')
        parser.add_argument(
            '--name', metavar='<name>', help='New name of the zone, here'
        )
        _add_fields(parser, required=False)
        parser.add_argument(
            '--project', metavar='<project=cloud>', action='append',
            type=_parse_project, default=[],
            help='Project (ID) that the zone serves, and the name of the '
                 'credentials for it; repeat for several',
        )
        parser.add_argument(
            '--no-project', metavar='<project>', action='append', default=[],
            help='Project (ID) that the zone serves no longer; repeat for '
                 'several',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        fields = _read_fields(parsed_args)
        projects = {
            **dict(parsed_args.project), **dict.fromkeys(
                parsed_args.no_project
            ),
        }
        if projects:
            fields['projects'] = projects
        _warn(self, fields)
        if not fields:
            raise NovaExtError('nothing to set: name an option')
        client = get_client(self)
        client.update_zone(client.find_zone(parsed_args.zone)['id'], fields)


class DeleteZone(command.Command):
    """Delete child zones here; nothing changes in them."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_deleted(parser, 'zone')
        parser.add_argument(
            '--force', action='store_true',
            help='Delete them even if they have servers of builds. The '
                 'servers stay, and are listed',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        client = get_client(self)
        names = {
            zone['id']: zone['name']
            for zone in map(client.find_zone, parsed_args.zones)
        }
        for number, name in sorted(names.items()):
            for left in client.delete_zone(number, force=parsed_args.force):
                server = left['server_id'] or 'without an id'
                self.app.stdout.write(
                    f'left in zone {left["zone"] or name}: server {server} '
                    f'of build {left["build_id"]}, {left["state"]}\n'
                )


class ShowZoneInfo(_ShowOne):
    """Show the name and the capabilities of this zone."""

    def take_action(self, parsed_args: argparse.Namespace) -> Row:
        zone = get_client(self).get_zone_info()
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
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        '--shared', action='store_true', default=None,
        help='Serve every project with the zone\'s own credentials',
    )
    group.add_argument(
        '--not-shared', dest='shared', action='store_false', default=None,
        help='Serve the projects alone that are set with --project',
    )


def _parse_project(text: str) -> tuple[str, str]:
    project, _, cloud = text.partition('=')
    if project and cloud:
        return project, cloud
    raise argparse.ArgumentTypeError(f'{text!r}: write PROJECT=CLOUD')


def _read_fields(parsed_args: argparse.Namespace) -> dict[str, Any]:
    return {
        name: value for name in _FIELDS
        if (value := getattr(parsed_args, name)) is not None
    }


def _warn(run: command.Command, fields: Mapping[str, Any]) -> None:
    if fields.get('shared'):
        run.app.stderr.write(_SHARED)


def _show(zone: Mapping[str, Any]) -> Row:
    capabilities = zone['capabilities']
    rows = {
        **zone, 'capabilities': _General(capabilities['general']),
        'projects': _Projects(zone.get('projects', {})),
        'service_capabilities': _Services(capabilities['services']),
    }
    return _sort(rows)


def _sort(rows: Mapping[str, Any]) -> Row:
    names = sorted(rows)
    return names, [rows[name] for name in names]
