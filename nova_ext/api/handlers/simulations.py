"""Simulate boots and moves: say where servers would go, and how many fit."""

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova_ext.api.http.errors import HttpError, invalid, no_scheduler
from nova_ext.api.http.fair_share import FairShare
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.move_request import MoveRequest
from nova_ext.policy import rules

#: Fields of a request that name hosts.
_HOSTS = ('host', 'hypervisor_hostname', 'ignore_hosts')
#: Simulations that a process requests at one time; its other threads answer
#: other requests meanwhile.
SHARE = FairShare(at_once=6, of_one=2)
_INSTEAD = (
    '"nova-ext simulate" says on a host with its configuration where it would '
    'put one server or several'
)


def simulate(request: Request) -> dict[str, Any]:
    """Say where servers would go, or where Nova would move one."""
    if ('request' in request.body) == ('move' in request.body):
        raise invalid('the body takes either a request or a move')
    if 'move' in request.body:
        return {'simulation': _simulate_move(request)}
    boot, changes = _read(request.body, request)
    with _simulating(request):
        decision = request.backends.scheduler().simulate(
            request.context, boot, changes=changes
        )
    return {'simulation': _serialize(request, decision)}


def _simulate_move(request: Request) -> dict[str, Any]:
    # It reads a server of any project, and its host.
    request.require(rules.ALL_PROJECTS)
    request.require(rules.HOSTS)
    move = MoveRequest.from_dict(request.body['move'])
    changes = _read_changes(request)
    with _simulating(request):
        simulated = request.backends.scheduler().simulate_move(
            request.context, move, changes=changes
        )
    return _serialize(request, simulated.decision, simulated.notes)


def capacity(request: Request) -> dict[str, Any]:
    """Say how many more servers fit."""
    boot, changes = _read(request.body, request)
    if boot.count != 1:
        raise HttpError(
            400, 'invalid_request', 'capacity is counted in requests for one '
            'server: leave out count'
        )
    with _simulating(request):
        result = request.backends.scheduler().capacity(
            request.context, boot, changes=changes,
            is_empty=request.body.get('is_empty', False),
            diagnose=request.body.get('diagnose', True),
        )
    decision = result.decision
    result.decision = None
    answer = result.to_dict()
    if not request.allows(rules.HOSTS):
        # The name of an aggregate may name hosts, too.
        answer['hosts'], answer['aggregates'] = {}, {}
    answer['decision'] = decision and _serialize(request, decision)
    return {'capacity': answer}


def _serialize(
    request: Request, decision: Decision, notes: Sequence[str] = ()
) -> dict[str, Any]:
    return serialized.serialize(
        decision, notes=notes, hosts=request.allows(rules.HOSTS),
        reader=request.context.user_id or '',
    )


def _read(
    body: Mapping[str, Any], request: Request
) -> tuple[BootRequest, Changes]:
    """Return the boot and the changes, as far as policies allow them."""
    fields: Mapping[str, Any] = body['request']
    changes = _read_changes(request)
    own = request.context.project_id or ''
    boot = BootRequest.from_dict({
        'project_id': own, 'user_id': request.context.user_id or '', **fields,
    })
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


def _read_changes(request: Request) -> Changes:
    changes = request.body.get('changes') or {}
    if changes:
        request.require(rules.CHANGES)
    return Changes.from_dict(changes)


@contextlib.contextmanager
def _simulating(request: Request) -> Iterator[None]:
    """Take the project's share, and answer where no scheduler simulates."""
    with SHARE.hold(request.context.project_id):
        try:
            yield
        except NoSchedulerError as error:
            raise no_scheduler(error, _INSTEAD) from error
