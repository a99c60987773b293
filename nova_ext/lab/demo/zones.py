"""Demonstrate a build of servers over zones, by the commands of its users.

What the commands say is compared with the servers that each zone's own Nova
has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from nova_ext.lab.demo.demo_output import Demonstration
from nova_ext.lab.lifecycle import status
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state, paths, zone
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder

NAME, COUNT = 'demo-zones', 30
_SCHEDULER = ('openstack', 'scheduler')
_PLAN = (*_SCHEDULER, 'build', 'plan')
_REQUEST = (
    '--flavor', 'm1.tiny', '--image', 'cirros', '--network', 'none',
    '--count', str(COUNT),
)


class Zones(Demonstration):
    """Show the zones of a lab, and build servers in all of them."""

    def run(self) -> bool:
        """Run the demonstration.

        :returns: whether every result is right.
        :raises LabError: when the lab has no child zone, or one is stopped.
        """
        clouds = connect(self.lab, self.state)
        self._show_zones(clouds)
        places = self._plan(clouds)
        own = next(iter(clouds.values()))
        known = _list_builds(own)
        try:
            self._build(clouds, places)
            for build in _list_builds(own) - known:
                self._show_build(build, places)
        finally:
            for build in _list_builds(own) - known:
                self._delete(build, clouds)
        return self.table()

    def _show_zones(self, clouds: Mapping[str, Cloud]) -> None:
        self.show('\nA zone knows what it and all zones below it can do.')
        own, child, *_ = names = [*clouds]
        last = names[-1]
        info = _read_properties(self.command(*_SCHEDULER, 'zone', 'info'))
        self.check('zone info: name', own, info.get('name', 'none'))
        general = _get_info(clouds[last])['capabilities']['general']
        for key, summary in sorted(general.items()):
            values = summary['values']
            self.check(
                f'zone info: {key} of {last}', ';'.join(values), ';'.join(
                    value for value in values
                    if value in info.get(key, '').split(';')
                ),
            )
        listed = read_table(self.command(*_SCHEDULER, 'zone', 'list'))
        self.check('zone list: active zones', child, ', '.join(
            row['Name'] for row in listed if row['Is Active'] == 'True'
        ))
        shown = _read_properties(
            self.command(*_SCHEDULER, 'zone', 'show', child)
        )
        self.check(
            f'zone show {child}: its own uuid', _get_info(clouds[child])[
                'uuid'
            ], shown.get('uuid', 'none'),
        )

    def _plan(self, clouds: Mapping[str, Cloud]) -> list[str]:
        """Return the zone of each server, as a dry run says."""
        self.show(
            '\nWhere would servers be? Each zone says what they cost there; '
            'nothing is created.'
        )
        output = self.command(*_PLAN, 'create', *_REQUEST, '--dry-run', NAME)
        places = read_table(output)
        self.check(
            'dry run', f'{COUNT} of {COUNT} servers would find room',
            output.partition('\n')[0],
        )
        costs = [int(place['Cost']) for place in places]
        self.check(
            'dry run: costs', 'the cheapest first',
            'the cheapest first' if costs == sorted(costs) else str(costs),
        )
        found = Counter(place['Zone'] for place in places)
        self.check(
            'dry run: zones', ', '.join(clouds),
            ', '.join(name for name in clouds if found[name]),
        )
        self.check(
            'dry run: servers afterwards', describe({}, clouds),
            describe(_count_servers(clouds), clouds),
        )
        return [place['Zone'] for place in places]

    def _build(
        self, clouds: Mapping[str, Cloud], places: Iterable[str]
    ) -> None:
        self.show('\nNow they are created, each in the zone that was planned.')
        output = self.command(*_PLAN, 'create', *_REQUEST, '--wait', NAME)
        self.check(
            'create', f'{NAME}: active: {COUNT} of {COUNT} servers are '
            'ACTIVE*', output.partition('\n')[0],
        )
        self.check(
            'create: servers in Nova', describe(Counter(places), clouds),
            describe(_count_servers(clouds), clouds),
        )
        names = [
            server['name'] for cloud in clouds.values()
            for server in _list_servers(cloud)
        ]
        self.check(
            'create: names in Nova', f'{COUNT} different',
            f'{len(set(names))} different',
        )

    def _show_build(self, build: str, places: Iterable[str]) -> None:
        shown = read_table(self.command(*_PLAN, 'show', build))
        zones = [*dict.fromkeys(places)]
        self.check(
            'show: active servers', describe(Counter(places), zones),
            describe(Counter(
                row['Zone'] for row in shown if row['State'] == 'active'
            ), zones),
        )

    def _delete(self, build: str, clouds: Mapping[str, Cloud]) -> None:
        self.show('\nWith the build all of its servers are deleted.')
        self.command(*_PLAN, 'delete', build)
        # Its progress names each server.
        self.execute(*_PLAN, 'show', '--wait', build)
        # More columns would be folded.
        listed = read_table(self.command(
            *_PLAN, 'list', '-c', 'ID', '-c', 'State', '-c', 'Servers'
        ))
        self.check('delete', f'deleted: {COUNT} gone', ', '.join(
            f'{row["State"]}: {row["Servers"]}' for row in listed
            if row['ID'] == build
        ))
        self.check(
            'delete: servers in Nova', describe({}, clouds),
            describe(_count_servers(clouds), clouds),
        )


def connect(lab: LabFolder, state: lab_state.State) -> dict[str, Cloud]:
    """Return clients of a lab and its child zones, by what it calls them.

    :raises LabError: when it is not the first of several zones, or when one
        of them is stopped.
    """
    if state.zone is None:
        raise LabError(
            f'lab {lab.name} has no zones; one with zones is another lab: '
            f'nova-ext lab up --name {lab.name}-zones --zones 3'
        )
    if state.zone.depth:
        first = state.zone.labs[0]
        raise LabError(
            f'lab {lab.name} is a zone of lab {first}; the demonstration is '
            f'of all zones: nova-ext lab demo zones --name {first}'
        )
    return {
        '/'.join(zone.NAMES[1:depth + 1]) or state.zone.name: Cloud(
            status.load_running(paths.find(name))
        ) for depth, name in enumerate(state.zone.labs)
    }


def read_table(text: str) -> list[dict[str, str]]:
    """Return the rows of the first table in a command's output, by column."""
    lines = [
        [cell.strip() for cell in line.strip('|').split('|')]
        for line in text.splitlines() if line.startswith('|')
    ]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def describe(counts: Mapping[str, int], zones: Iterable[str]) -> str:
    """Return how many servers are in each zone, as ``1 in a, 0 in b``."""
    return ', '.join(f'{counts.get(name, 0)} in {name}' for name in zones)


def _read_properties(text: str) -> dict[str, str]:
    return {row['Property']: row['Value'] for row in read_table(text)}


def _get_info(cloud: Cloud) -> Mapping[str, Any]:
    info: Mapping[str, Any] = cloud.get('scheduler', '/v1/zones/info')['zone']
    return info


def _list_builds(cloud: Cloud) -> set[str]:
    """Return the UUIDs of all builds with the demonstration's name."""
    return {
        build['id'] for build in cloud.get('scheduler', '/v1/builds')['builds']
        if build['name'] == NAME
    }


def _count_servers(clouds: Mapping[str, Cloud]) -> dict[str, int]:
    return {
        name: len(_list_servers(cloud)) for name, cloud in clouds.items()
    }


def _list_servers(cloud: Cloud) -> list[Mapping[str, str]]:
    """Return the demonstration's servers in a zone, of all projects."""
    servers: list[Mapping[str, str]] = cloud.get(
        'compute', f'/servers?all_tenants=1&name=^{NAME}-'
    )['servers']
    return servers
