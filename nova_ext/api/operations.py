"""List the operations of the API on one screen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nova_ext.api.handlers import (
    decisions,
    extensions,
    offers,
    simulations,
    zones,
)
from nova_ext.api.http import microversion, schemas
from nova_ext.api.http.request import Request
from nova_ext.api.http.schemas import Schema
from nova_ext.policy import rules


@dataclass(frozen=True)
class Operation:
    """Represent a method on a path.

    :param handler: returns the answer as ``answer`` describes it.
    :param rule: the policy that has to allow it.
    :param answer: schema of the answer; None: an HTML page, or nothing.
    :param path_values: schemas of the values within the path.
    :param query: schemas of the values behind the path.
    :param body: schema of the body; None: it takes none.
    :param status: status of the answer; with 204 it is empty.
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


_DECISION = {'decision_id': schemas.DECISION_ID}
_SERVER = {'server_id': schemas.UUID}
_ZONE = {'zone_id': schemas.ZONE_ID}
_ZONES = '1.1'

OPERATIONS = (
    Operation(
        'GET', '/v1/decisions', decisions.list_, rules.DECISIONS,
        schemas.DECISIONS, query=schemas.LISTING,
    ),
    Operation(
        'GET', '/v1/decisions/{decision_id}', decisions.show,
        rules.DECISIONS, schemas.DECISION, _DECISION,
    ),
    Operation(
        'GET', '/v1/decisions/{decision_id}/page', decisions.page,
        rules.DECISIONS, None, _DECISION, query=schemas.PAGE,
    ),
    Operation(
        'GET', '/v1/servers/{server_id}/explanation', decisions.explanation,
        rules.DECISIONS, schemas.EXPLANATION, _SERVER,
        query=schemas.REQUEST,
    ),
    Operation(
        'POST', '/v1/simulations', simulations.simulate, rules.SIMULATE,
        schemas.SIMULATION, body=schemas.WHAT_IF,
    ),
    Operation(
        'POST', '/v1/capacities', simulations.capacity, rules.CAPACITY,
        schemas.CAPACITY, body=schemas.WHAT_IF,
    ),
    Operation(
        'GET', '/v1/filters', extensions.filters, rules.EXTENSIONS,
        schemas.FILTERS,
    ),
    Operation(
        'GET', '/v1/weighers', extensions.weighers, rules.EXTENSIONS,
        schemas.WEIGHERS,
    ),
    Operation(
        'GET', '/v1/drivers', extensions.drivers, rules.EXTENSIONS,
        schemas.DRIVERS,
    ),
    Operation(
        'GET', '/v1/costs', extensions.costs, rules.EXTENSIONS,
        schemas.COSTS, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/hints', extensions.hints, rules.HINTS, schemas.HINTS,
    ),
    Operation(
        'GET', '/v1/zones', zones.list_, rules.GET_ZONES, schemas.ZONES,
        query=schemas.ZONE_LISTING, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/zones/detail', zones.detail, rules.GET_ZONES,
        schemas.DETAILED_ZONES, query=schemas.ZONE_LISTING, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/zones/info', zones.info, rules.ZONE_INFO,
        schemas.ZONE_INFO, since=_ZONES,
    ),
    Operation(
        'POST', '/v1/zones/offers', offers.make, rules.OFFERS,
        schemas.OFFERS, body=schemas.OFFER_QUESTION, since=_ZONES,
    ),
    Operation(
        'DELETE', '/v1/zones/offers', offers.give_back, rules.OFFERS,
        schemas.GIVEN_BACK, body=schemas.OFFER_IDS, since=_ZONES,
    ),
    Operation(
        'POST', '/v1/zones', zones.create, rules.CREATE_ZONES, schemas.ZONE,
        body=schemas.NEW_ZONE, status=201, since=_ZONES,
    ),
    Operation(
        'GET', '/v1/zones/{zone_id}', zones.show, rules.GET_ZONES,
        schemas.ZONE, _ZONE, since=_ZONES,
    ),
    Operation(
        'PUT', '/v1/zones/{zone_id}', zones.update, rules.UPDATE_ZONES,
        schemas.ZONE, _ZONE, body=schemas.CHANGED_ZONE, since=_ZONES,
    ),
    Operation(
        'DELETE', '/v1/zones/{zone_id}', zones.delete, rules.DELETE_ZONES,
        None, _ZONE, status=204, since=_ZONES,
    ),
)
