"""Choose what carries items of one project out: this zone, or a child zone."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nova_ext.database.database import Database
from nova_ext.zones import registry
from nova_ext.zones.child import Children
from nova_ext.zones.items.child_items import ZONE_SILENT, ChildItems
from nova_ext.zones.items.own_items import OwnItems
from nova_ext.zones.items.servers import Servers
from nova_ext.zones.items.zone_items import NoZoneError, ZoneItems
from nova_ext.zones.offers.child_offers import INACTIVE
from nova_ext.zones.offers.own_cloud import OwnCloud
from nova_ext.zones.server_spec import ServerSpec
from nova_ext.zones.tables import held_offers


class ZoneChoice:
    """Choose a zone for one project, within one request or one look.

    :param cloud: this zone's, in the name of who has the servers created;
        None: there is no token for it.
    :param margin_s: seconds by which clocks of this zone may differ.
    :param look_s: seconds in which a child zone has to answer what does not
        create a server.
    """

    def __init__(
        self, database: Database, children: Children, project_id: str,
        cloud: OwnCloud | None, margin_s: float, look_s: float,
    ) -> None:
        self._database = database
        self._children = children
        self._project_id = project_id
        self._cloud = cloud
        self._margin_s = margin_s
        self._look_s = look_s

    def choose(self, uuid: str | None) -> ZoneItems:
        """Return what carries items out in a zone.

        :param uuid: of a child zone, disabled or not; None: this zone.
        :raises NoZoneError: with a code that says why none does.
        """
        if uuid is not None:
            return self._choose_child(uuid)
        if self._cloud is None:
            raise NoZoneError('no_trust')
        return OwnItems(
            Servers(self._cloud.compute),
            _Matching(self._cloud, self._project_id), self._margin_s,
            self._free_room,
        )

    def _free_room(self, request_ids: Sequence[str]) -> None:
        """Give back what offers of this zone hold."""
        with self._database.reading() as session:
            held = held_offers.list_held(session, request_ids)
        if held:
            with self._database.writing() as session:
                held_offers.give_back(session, held, self._project_id)

    def _choose_child(self, uuid: str) -> ChildItems:
        with self._database.reading() as session:
            child = next((
                child for child in registry.list_children(
                    session, self._project_id
                ) if child.uuid == uuid
            ), None)
        if child is None:
            raise NoZoneError('no_zone')
        if not child.cloud:
            raise NoZoneError('no_project')
        if not child.is_active:
            # Another zone may be at its URL.
            raise NoZoneError(INACTIVE)
        if self._children.is_hung(child):
            raise NoZoneError(ZONE_SILENT, is_brief=True)
        return ChildItems(self._children, child, self._look_s)


class _Matching:
    """Find the cloud's own flavor, image and networks once for a build."""

    def __init__(self, cloud: OwnCloud, project_id: str) -> None:
        self._cloud = cloud
        self._project_id = project_id
        self._fields: dict[str, dict[str, Any]] = {}

    def __call__(self, build: ServerSpec) -> Mapping[str, Any]:
        """Return the fields of a server.

        :raises NoMatchError: saying what none or two fit.
        """
        key = json.dumps(build.to_dict(), sort_keys=True)
        if key not in self._fields:
            matched = self._cloud.match(build, self._project_id)
            networks = matched.networks
            self._fields[key] = {
                'flavorRef': matched.flavor.flavorid,
                'imageRef': matched.image.get('id', ''),
                'networks': [{'uuid': uuid} for uuid in networks]
                if isinstance(networks, list) else networks,
            }
        return self._fields[key]
