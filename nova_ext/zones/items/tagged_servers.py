"""Find the servers of one zone's builds by their tags, in all zones.

A tag proves nothing, so that nothing is done to what is found here: it is
shown to who asks. What a child zone answers is not trusted.
"""

import datetime
import logging
from collections.abc import Iterator, Sequence
from concurrent import futures
from dataclasses import dataclass, field
from functools import partial

import jsonschema
from oslo_config import cfg

from nova_ext.core.explanation.text_format import sanitize
from nova_ext.core.stats.capabilities import MAX_LENGTH
from nova_ext.database.database import Database
from nova_ext.zones import answers, registry
from nova_ext.zones.answers import ChildError
from nova_ext.zones.child import Children, run_side_by_side
from nova_ext.zones.items.new_items import get_zone_prefix
from nova_ext.zones.items.servers import CELL_DOWN, Servers, SilentError
from nova_ext.zones.offers.child_offers import INACTIVE
from nova_ext.zones.offers.own_cloud import OwnCloud
from nova_ext.zones.registry import Child, InsecureUrlError
from nova_ext.zones.schemas.orphans import SERVERS

#: Seconds for all answers, and by which each level has less.
_LIMIT_S, _LEVEL_S = 60.0, 3.0
#: Why a zone's servers are not listed, or not all of them.
SILENT, CLOUD_SILENT, CELL_SILENT = 'silent', 'cloud_silent', 'cell_silent'
_VALIDATOR = jsonschema.Draft202012Validator(SERVERS)

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class TaggedServer:
    """Represent a server that has a tag of the zone.

    :param created_at: ISO 8601 in UTC.
    :param project_id: in the zone that has the server.
    :param zone: names of zones from the child zone on, joined by ``/``;
        empty: the asked zone itself.
    """

    server_id: str
    name: str
    status: str
    created_at: str
    project_id: str
    tag: str
    zone: str = ''


@dataclass
class TaggedListing:
    """Represent what was found, and what could not be looked at.

    :param silent: zones, named as for TaggedServer, and a code: why.
    """

    servers: list[TaggedServer] = field(default_factory=list)
    silent: list[tuple[str, str]] = field(default_factory=list)


class TaggedServers:
    """Look for servers of one zone's builds.

    :param cloud: the asked zone's, in the name of who asks.
    :param path: UUIDs of zones: first the one in which the builds were
        created, last the asked one.
    """

    def __init__(
        self, database: Database, children: Children, cloud: OwnCloud,
        path: Sequence[str],
    ) -> None:
        self._database = database
        self._children = children
        self._cloud = cloud
        self._path = path
        self._prefix = get_zone_prefix(path[0])

    def list_everywhere(self) -> TaggedListing:
        """List those of all projects, here and in all child zones.

        It needs the rights of an administrator in this zone's Nova.
        """
        with self._database.reading() as session:
            children = [
                registry.to_child(zone, cloud)
                for zone in registry.list_zones(session)
                for cloud in sorted({
                    *(each.cloud for each in zone.projects),
                    *([zone.cloud] if zone.is_shared else ()),
                })
            ]
        return self._list(True, children)

    def list_in_project(self, project_id: str) -> TaggedListing:
        """List those of one project, here and where zones serve it.

        Child zones are asked where ``enable_zone_routing``.
        """
        if not cfg.CONF.nova_ext_zones.enable_zone_routing:
            return self._list(False, [])
        with self._database.reading() as session:
            children = registry.list_children(session, project_id)
        return self._list(False, [
            child for child in children
            if child.cloud and child.uuid not in self._path
        ])

    def _list(
        self, all_projects: bool, below: Sequence[Child]
    ) -> TaggedListing:
        seconds = _LIMIT_S - _LEVEL_S * len(self._path)
        own, *answers = run_side_by_side([
            partial(self._list_own, all_projects), *(
                partial(self._ask, child, seconds - _LEVEL_S)
                for child in below
            ),
        ], seconds)
        whole = _read(own, '')
        for child, answer in zip(below, answers, strict=True):
            part = _read(answer, child.name)
            whole.servers += part.servers
            whole.silent += part.silent
        # Two credentials may be of one project.
        servers = {each.server_id: each for each in whole.servers}
        return TaggedListing(
            [*servers.values()], [*dict.fromkeys(whole.silent)]
        )

    def _list_own(self, all_projects: bool) -> TaggedListing:
        listing = TaggedListing()
        try:
            for server in Servers(self._cloud.compute).list_every(
                all_projects=all_projects
            ):
                tag = next((
                    tag for tag in server.tags
                    if tag.startswith(self._prefix)
                ), None)
                if tag is not None:
                    listing.servers.append(TaggedServer(
                        server.id, sanitize(server.name, MAX_LENGTH),
                        server.status,
                        _format(server.created_at), server.project_id, tag,
                    ))
                elif server.status == CELL_DOWN:
                    listing.silent = [('', CELL_SILENT)]
        except SilentError as error:
            LOG.warning('servers are not listed: %s', error)
            listing.silent = [('', CLOUD_SILENT)]
        return listing

    def _ask(self, child: Child, seconds: float) -> TaggedListing:
        if not child.is_active:
            return TaggedListing(silent=[(child.name, INACTIVE)])
        try:
            body = self._children.send(
                child, 'GET', f'/v1/zones/servers?path={",".join(self._path)}',
                time_limit_s=seconds,
            )
            return TaggedListing(
                [*self._read_servers(body, child.name)],
                [*_read_silent(body, child.name)],
            )
        except (ChildError, InsecureUrlError) as error:
            LOG.warning('zone %s: %s', child.name, error)
            return TaggedListing(silent=[(child.name, SILENT)])

    def _read_servers(self, body: bytes, zone: str) -> Iterator[TaggedServer]:
        for each in answers.read(body, _VALIDATOR)['servers']:
            if each['tag'].startswith(self._prefix):
                yield TaggedServer(
                    each['server_id'], sanitize(each['name'], MAX_LENGTH),
                    each['status'], each['created_at'], each['project_id'],
                    each['tag'], _join(zone, each['zone']),
                )


def _read_silent(body: bytes, zone: str) -> Iterator[tuple[str, str]]:
    for each in answers.read(body, _VALIDATOR)['silent']:
        yield _join(zone, each['zone']), each['reason']


def _join(zone: str, below: str) -> str:
    return '/'.join(filter(None, (zone, sanitize(below, MAX_LENGTH))))


def _read(
    answer: 'futures.Future[TaggedListing]', zone: str
) -> TaggedListing:
    if answer.done() and not answer.cancelled():
        return answer.result()
    return TaggedListing(silent=[(zone, SILENT)])


def _format(at: float) -> str:
    moment = datetime.datetime.fromtimestamp(at, datetime.UTC)
    return f'{moment:%Y-%m-%dT%H:%M:%SZ}'
