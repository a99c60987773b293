"""List the operations of the API on one screen; features add theirs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.api import features, schemas
from nova_ext.api.handlers import (
    decisions,
    mirrors,
    plugins,
    rehearsals,
    shadow_reports,
    simulations,
)
from nova_ext.api.http.request import Request
from nova_ext.api.schemas.parts import UUID, Schema
from nova_ext.policy import rules


@dataclass(frozen=True)
class ApiOperation:
    """Represent a method on a path.

    :param handler: returns the answer as ``answer`` describes it; or a pair
        of one of ``others`` and its status.
    :param rule: the policy that has to allow it.
    :param answer: schema of the answer; None: an HTML page, or nothing.
    :param path_values: schemas of the values within the path.
    :param query: schemas of the values behind the path.
    :param body: schema of the body; None: it takes none.
    :param max_body_bytes: None: ``[oslo_middleware] max_request_body_size``.
    :param is_of_zones: whether other zones request it, for many projects.
    :param status: status of the answer; with 204 it is empty.
    :param others: schemas of other answers, by their status.
    """

    method: str
    path: str
    handler: Callable[[Request], Any]
    rule: str
    answer: Schema | None
    path_values: Mapping[str, Schema] = field(default_factory=dict)
    query: Mapping[str, Schema] = field(default_factory=dict)
    body: Schema | None = None
    max_body_bytes: int | None = None
    is_of_zones: bool = False
    status: int = 200
    others: Mapping[int, Schema] = field(default_factory=dict)

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

OPERATIONS = (
    ApiOperation(
        'GET', '/v1/decisions', decisions.list_, rules.DECISIONS,
        schemas.decisions.DECISIONS, query=schemas.decisions.LISTING,
    ),
    ApiOperation(
        'GET', '/v1/decisions/{decision_id}', decisions.show,
        rules.DECISIONS, schemas.decisions.DECISION, _DECISION,
    ),
    ApiOperation(
        'GET', '/v1/decisions/{decision_id}/page', decisions.page,
        rules.DECISIONS, None, _DECISION, query=schemas.decisions.PAGE,
    ),
    ApiOperation(
        'GET', '/v1/servers/{server_id}/explanation', decisions.explanation,
        rules.DECISIONS, schemas.decisions.SERVER_EXPLANATION, _SERVER,
        query=schemas.decisions.REQUEST,
    ),
    ApiOperation(
        'POST', '/v1/simulations', simulations.simulate, rules.SIMULATE,
        schemas.simulations.SIMULATION,
        body=schemas.simulations.BOOT_OR_MOVE,
    ),
    ApiOperation(
        'POST', '/v1/capacities', simulations.capacity, rules.CAPACITY,
        schemas.simulations.CAPACITY, body=schemas.simulations.WHAT_IF,
    ),
    ApiOperation(
        'POST', '/v1/rehearsals', rehearsals.rehearse, rules.REHEARSE,
        schemas.rehearsals.REHEARSAL, body=schemas.rehearsals.REQUEST,
        max_body_bytes=schemas.rehearsals.MAX_BYTES,
    ),
    ApiOperation(
        'POST', '/v1/losses', rehearsals.rehearse_losses, rules.REHEARSE,
        schemas.rehearsals.LOSSES, body=schemas.rehearsals.LOSSES_REQUEST,
        max_body_bytes=schemas.rehearsals.MAX_BYTES,
    ),
    ApiOperation(
        'GET', '/v1/filters', plugins.filters, rules.PLUGINS,
        schemas.plugins.FILTERS,
    ),
    ApiOperation(
        'GET', '/v1/weighers', plugins.weighers, rules.PLUGINS,
        schemas.plugins.WEIGHERS,
    ),
    ApiOperation(
        'GET', '/v1/drivers', plugins.drivers, rules.PLUGINS,
        schemas.plugins.DRIVERS,
    ),
    ApiOperation(
        'GET', '/v1/costs', plugins.costs, rules.PLUGINS,
        schemas.plugins.COSTS,
    ),
    ApiOperation(
        'GET', '/v1/hints', plugins.hints, rules.HINTS,
        schemas.plugins.HINTS,
    ),
    ApiOperation(
        'GET', '/v1/mirrors', mirrors.list_, rules.GET_MIRRORS,
        schemas.mirrors.MIRRORS,
    ),
    ApiOperation(
        'GET', '/v1/shadow-reports', shadow_reports.list_,
        rules.GET_SHADOW_REPORTS, schemas.shadow_reports.SHADOW_REPORTS,
        query=schemas.shadow_reports.LISTING,
    ),
)


def list_operations() -> Sequence[ApiOperation]:
    """Return the operations of the API and of all installed features."""
    return [
        *OPERATIONS,
        *(
            each for feature in features.list_features()
            for each in feature.operations
        ),
    ]
