"""Demonstrate a build of servers over zones, by the commands of its users.

What the commands say is compared with the servers that each zone's own Nova
has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from nova_ext.lab.demo.dead_zone import DeadZone
from nova_ext.lab.demo.demo_output import Demonstration
from nova_ext.lab.demo.zone_servers import (
    COUNT,
    NAME,
    PLAN,
    REQUEST,
    connect,
    count_servers,
    describe,
    get_info,
    list_builds,
    list_servers,
    read_properties,
    read_table,
)
from nova_ext.lab.services.cloud import Cloud

_SCHEDULER = ('openstack', 'scheduler')


class Zones(Demonstration):
    """Build servers in all zones of a lab, and without one of them."""

    def run(self) -> bool:
        """Run the demonstration.

        :returns: whether every result is right.
        :raises LabError: when the lab has no child zone, or one is stopped.
        """
        clouds = connect(self.lab, self.state)
        self._show_zones(clouds)
        places = self._plan(clouds)
        own = next(iter(clouds.values()))
        known = list_builds(own)
        try:
            self._build(clouds, places)
            for build in list_builds(own) - known:
                self._show_build(build, places)
        finally:
            for build in list_builds(own) - known:
                self._delete(build, clouds)
        DeadZone(self.lab, self.state, self.out, self.checks).run()
        return self.table()

    def _show_zones(self, clouds: Mapping[str, Cloud]) -> None:
        self.show('\nA zone knows what it and all zones below it can do.')
        own, child, *_ = names = [*clouds]
        last = names[-1]
        info = read_properties(self.command(*_SCHEDULER, 'zone', 'info'))
        self.check('zone info: name', own, info.get('name', 'none'))
        general = get_info(clouds[last])['capabilities']['general']
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
        shown = read_properties(
            self.command(*_SCHEDULER, 'zone', 'show', child)
        )
        self.check(
            f'zone show {child}: its own uuid', get_info(clouds[child])[
                'uuid'
            ], shown.get('uuid', 'none'),
        )

    def _plan(self, clouds: Mapping[str, Cloud]) -> list[str]:
        """Return the zone of each server, as a dry run says."""
        self.show(
            '\nWhere would servers be? Each zone says what they cost there; '
            'nothing is created.'
        )
        output = self.command(*PLAN, 'create', *REQUEST, '--dry-run', NAME)
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
            describe(count_servers(clouds), clouds),
        )
        return [place['Zone'] for place in places]

    def _build(
        self, clouds: Mapping[str, Cloud], places: Iterable[str]
    ) -> None:
        self.show('\nNow they are created, each in the zone that was planned.')
        output = self.command(*PLAN, 'create', *REQUEST, '--wait', NAME)
        self.check(
            'create', f'{NAME}: active: {COUNT} of {COUNT} servers are '
            'ACTIVE*', output.partition('\n')[0],
        )
        self.check(
            'create: servers in Nova', describe(Counter(places), clouds),
            describe(count_servers(clouds), clouds),
        )
        names = [
            server['name'] for cloud in clouds.values()
            for server in list_servers(cloud)
        ]
        self.check(
            'create: names in Nova', f'{COUNT} different',
            f'{len(set(names))} different',
        )

    def _show_build(self, build: str, places: Iterable[str]) -> None:
        shown = read_table(self.command(*PLAN, 'show', build))
        zones = [*dict.fromkeys(places)]
        self.check(
            'show: active servers', describe(Counter(places), zones),
            describe(Counter(
                row['Zone'] for row in shown if row['State'] == 'active'
            ), zones),
        )

    def _delete(self, build: str, clouds: Mapping[str, Cloud]) -> None:
        self.show('\nWith the build all of its servers are deleted.')
        self.command(*PLAN, 'delete', build)
        # Its progress names each server.
        self.execute(*PLAN, 'show', '--wait', build)
        # More columns would be folded.
        listed = read_table(self.command(
            *PLAN, 'list', '-c', 'ID', '-c', 'State', '-c', 'Servers'
        ))
        self.check('delete', f'deleted: {COUNT} gone', ', '.join(
            f'{row["State"]}: {row["Servers"]}' for row in listed
            if row['ID'] == build
        ))
        self.check(
            'delete: servers in Nova', describe({}, clouds),
            describe(count_servers(clouds), clouds),
        )
