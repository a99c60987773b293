"""List the operations of the API on one screen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nova_ext.api import schemas
from nova_ext.api.handlers import (
    builds,
    decisions,
    extensions,
    items,
    mirrors,
    offers,
    orphans,
    simulations,
    zones,
)
from nova_ext.api.http import microversion
from nova_ext.api.http.request import Request
from nova_ext.api.schemas.parts import UUID, Schema
from nova_ext.policy import rules


@dataclass(frozen=True)
class Operation:
    """Represent a method on a path.

    :param handler: returns the answer as ``answer`` describes it; or a pair
        of one of ``others`` and its status.
    :param rule: the policy that has to allow it.
    :param answer: schema of the answer; None: an HTML page, or nothing.
    :param path_values: schemas of the values within the path.
    :param query: schemas of the values behind the path.
    :param body: schema of the body; None: it takes none.
    :param status: status of the answer; with 204 it is empty.
    :param others: schemas of other answers, by their status.
    :param since: the microversion that brought it.
    """

    method: str
    path: str
    handler: Callable[[Request], Any]
    rule: str
    answer: Schema | None
    path_values: Mapping[str, Schema] = field(default_factory=dict)
    query: Mapping[str, Schema] = field(default_factory=dict)
    body: Schema | None = None
    status: int = 200
    others: Mapping[int, Schema] = field(default_factory=dict)
    since: str = microversion.OLDEST

    @property
    def name(self) -> str:
        """Return the operation's ID in the OpenAPI document."""
        module = self.handler.__module__.rpartition('.')[2]
        return f'{module}_{self.handler.__name__}'.rstrip('_')

    @property
    def summary(self) -> str:
        """Return the first line of the handler's docstring."""
        return (self.handler.__doc__ or '').partition('\n')[0]


_DECISION = {'decision_id': schemas.decisions.DECISION_ID}
_SERVER = {'server_id': UUID}
_ZONE = {'zone_id': schemas.zones.ZONE_ID}
_BUILD = {'build_id': UUID}
_ITEM = {'item_key': UUID}
_ZONES = '1.1'
_BUILDS = '1.2'
_MIRRORS = '1.3'

OPERATIONS = (
    Operation(
        'GET', '/v1/decisions', decisions.list_, rules.DECISIONS,
        schemas.decisions.DECISIONS, query=schemas.decisions.LISTING,
    ),
    Operation(
        'GET', '/v1/decisions/{decision_id}', decisions.show,
        rules.DECISIONS, schemas.decisions.DECISION, _DECISION,
    ),
    Operation(
        'GET', '/v1/decisions/{decision_id}/page', decisions.page,
        rules.DECISIONS, None, _DECISION, query=schemas.decisions.PAGE,
    ),
    Operation(
        'GET', '/v1/servers/{server_id}/explanation', decisions.explanation,
        rules.DECISIONS, schemas.decisions.SERVER_EXPLANATION, _SERVER,
        query=schemas.decisions.REQUEST,
    ),
    Operation(
        'POST', '/v1/simulations', simulations.simulate, rules.SIMULATE,
        schemas.simulations.SIMULATION, body=schemas.simulations.WHAT_IF,
    ),
    Operation(
        'POST', '/v1/capacities', simulations.capacity, rules.CAPACITY,
        schemas.simulations.CAPACITY, body=schemas.simulations.WHAT_IF,
    ),
    Operation(
        'GET', '/v1/filters', extensions.filters, rules.EXTENSIONS,
        schemas.extensions.FILTERS,
    ),
    Operation(
        'GET', '/v1/weighers', extensions.weighers, rules.EXTENSIONS,
        schemas.extensions.WEIGHERS,
    ),
    Operation(
        'GET', '/v1/drivers', extensions.drivers, rules.EXTENSIONS,
        schemas.extensions.DRIVERS,
    ),
    Operation(
        'GET', '/v1/costs', extensions.costs, rules.EXTENSIONS,
        schemas.extensions.COSTS, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/hints', extensions.hints, rules.HINTS,
        schemas.extensions.HINTS,
    ),
    Operation(
        'GET', '/v1/mirrors', mirrors.list_, rules.GET_MIRRORS,
        schemas.mirrors.MIRRORS, since=_MIRRORS,
    ),
    Operation(
        'GET', '/v1/zones', zones.list_, rules.GET_ZONES, schemas.zones.ZONES,
        query=schemas.zones.LISTING, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/zones/detail', zones.detail, rules.GET_ZONES,
        schemas.zones.DETAILS, query=schemas.zones.LISTING, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/zones/info', zones.info, rules.ZONE_INFO,
        schemas.zones.INFO, since=_ZONES,
    ),
    Operation(
        'POST', '/v1/zones/offers', offers.make, rules.OFFERS,
        schemas.offers.OFFERS, body=schemas.offers.OFFER_QUESTION,
        since=_ZONES,
    ),
    Operation(
        'DELETE', '/v1/zones/offers', offers.give_back, rules.OFFERS,
        schemas.offers.GIVEN_BACK, body=schemas.offers.OFFER_IDS, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/zones/items', items.list_, rules.ITEMS,
        schemas.items.ITEMS,
        query=schemas.items.LISTING, since=_BUILDS,
    ),
    Operation(
        'GET', '/v1/zones/items/{item_key}', items.show, rules.ITEMS,
        schemas.items.ITEM, _ITEM, query=schemas.items.ASKED, since=_BUILDS,
    ),
    Operation(
        'PUT', '/v1/zones/items/{item_key}', items.put, rules.ITEMS,
        schemas.items.ITEM, _ITEM, query=schemas.items.PUT,
        body=schemas.items.NEW_ITEM, since=_BUILDS,
    ),
    Operation(
        'DELETE', '/v1/zones/items/{item_key}', items.delete, rules.ITEMS,
        schemas.items.ITEM, _ITEM, query=schemas.items.ASKED, since=_BUILDS,
    ),
    Operation(
        'GET', '/v1/zones/servers', orphans.servers, rules.ITEMS,
        schemas.orphans.SERVERS, query=schemas.orphans.SERVER_LISTING,
        since=_BUILDS,
    ),
    Operation(
        'GET', '/v1/zones/orphans', orphans.list_, rules.ORPHANS,
        schemas.orphans.ORPHANS, since=_BUILDS,
    ),
    Operation(
        'POST', '/v1/zones', zones.create, rules.CREATE_ZONES,
        schemas.zones.ZONE,
        body=schemas.zones.NEW_ZONE, status=201, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/zones/{zone_id}', zones.show, rules.GET_ZONES,
        schemas.zones.ZONE, _ZONE, since=_ZONES,
    ),
    Operation(
        'PUT', '/v1/zones/{zone_id}', zones.update, rules.UPDATE_ZONES,
        schemas.zones.ZONE, _ZONE, body=schemas.zones.CHANGED_ZONE,
        since=_ZONES,
    ),
    Operation(
        'DELETE', '/v1/zones/{zone_id}', zones.delete, rules.DELETE_ZONES,
        None, _ZONE, query=schemas.zones.DELETION, status=204,
        others={200: schemas.zones.LEFT}, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/builds', builds.list_, rules.GET_BUILDS,
        schemas.builds.BUILDS,
        query=schemas.builds.LISTING, since=_BUILDS,
    ),
    Operation(
        'POST', '/v1/builds', builds.create, rules.CREATE_BUILDS,
        schemas.builds.BUILD, body=schemas.builds.NEW_BUILD, status=202,
        others={200: schemas.builds.PLAN}, since=_BUILDS,
    ),
    Operation(
        'GET', '/v1/builds/{build_id}', builds.show, rules.GET_BUILDS,
        schemas.builds.BUILD, _BUILD, since=_BUILDS,
    ),
    Operation(
        'DELETE', '/v1/builds/{build_id}', builds.delete,
        rules.DELETE_BUILDS, None, _BUILD, status=204, since=_BUILDS,
    ),
    Operation(
        'POST', '/v1/builds/{build_id}/resume', builds.resume,
        rules.DELETE_BUILDS, schemas.builds.BUILD, _BUILD, status=202,
        since=_BUILDS,
    ),
)
