"""Simulate boots: say where servers would go, and how many fit."""

import contextlib
import dataclasses
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from nova_ext.api.http.errors import HttpError, no_scheduler
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.policy import rules

#: Fields of a request that name hosts.
_HOSTS = ('host', 'hypervisor_hostname', 'ignore_hosts')
#: Simulations that a process may request at one time, for all and for one
#: project; its other threads answer other requests meanwhile.
AT_ONCE = 6
AT_ONCE_OF_ONE = 2


@dataclasses.dataclass
class Limit:
    """Count what is asked at one time, by project.

    :param at_once: how much may be, for all projects.
    :param of_one: the same, for one.
    """

    at_once: int
    of_one: int
    asked: Counter[str | None] = dataclasses.field(default_factory=Counter)


_lock = threading.Lock()
_SIMULATIONS = Limit(AT_ONCE, AT_ONCE_OF_ONE)
_INSTEAD = (
    '"nova-ext simulate" says on a host with its configuration where it would '
    'put one server or several'
)


def simulate(request: Request) -> dict[str, Any]:
    """Say where servers would go."""
    boot, changes = read(request.body, request)
    with asking(request):
        decision = request.backends.scheduler().simulate(
            request.context, boot, changes=changes
        )
    return {'simulation': _serialize(request, decision)}


def capacity(request: Request) -> dict[str, Any]:
    """Say how many more servers fit."""
    boot, changes = read(request.body, request)
    if boot.count != 1:
        raise HttpError(
            400, 'invalid_request', 'capacity is counted in requests for one '
            'server: leave out count'
        )
    with asking(request):
        result = request.backends.scheduler().capacity(
            request.context, boot, changes=changes
        )
    decision = result.decision
    result.decision = None
    answer = result.to_dict()
    if not request.allows(rules.HOSTS):
        # The name of an aggregate may name hosts, too.
        answer['hosts'], answer['aggregates'] = {}, {}
    answer['decision'] = decision and _serialize(request, decision)
    return {'capacity': answer}


def _serialize(request: Request, decision: Decision) -> dict[str, Any]:
    return serialized.serialize(
        decision, hosts=request.allows(rules.HOSTS),
        reader=request.context.user_id or '',
    )


def read(
    body: Mapping[str, Any], request: Request
) -> tuple[BootRequest, Changes]:
    """Return the boot and the changes, as far as policies allow them."""
    fields: Mapping[str, Any] = body['request']
    if body.get('changes'):
        request.require(rules.CHANGES)
    own = request.context.project_id or ''
    boot = BootRequest.from_dict({
        'project_id': own, 'user_id': request.context.user_id or '', **fields,
    })
    changes = Changes.from_dict(body.get('changes') or {})
    if boot.project_id != own or 'user_id' in fields:
        request.require(rules.ALL_PROJECTS)
    _, host, node = boot.zone_host_and_node
    if host or node or any(fields.get(name) for name in _HOSTS):
        request.require(rules.HOSTS)
    if not request.allows(rules.FLAVORS):
        if not boot.flavor.flavorid:
            request.require(rules.FLAVORS)
        boot = dataclasses.replace(boot, stored_flavor=True)
    return boot, changes


@contextlib.contextmanager
def asking(
    request: Request, instead: str = _INSTEAD, limit: Limit = _SIMULATIONS
) -> Iterator[None]:
    """Bound what is asked at one time, of each project and in all.

    :param instead: what tells the same in plugin mode, as a clause.
    """
    project, asked = request.context.project_id, limit.asked
    with _lock:
        if (
            asked[project] >= limit.of_one or asked.total() >= limit.at_once
        ):
            raise HttpError(
                503, 'busy', f'{asked[project]} requests of this kind are '
                f'answered here for the project at present, and '
                f'{asked.total()} in all: no more may be; ask again later'
            )
        asked[project] += 1
    try:
        yield
    except NoSchedulerError as error:
        raise no_scheduler(error, instead) from error
    finally:
        with _lock:
            asked[project] -= 1
            if not asked[project]:
                del asked[project]
