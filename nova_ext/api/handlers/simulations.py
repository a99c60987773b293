"""Decisions that are not made: where servers would go, how many fit."""

import contextlib
import dataclasses
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from nova_ext.api.http.errors import HttpError
from nova_ext.api.http.request import Asked
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.redaction import unnamed
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.policy import rules

#: Fields of a request that name hosts.
_HOSTS = ('host', 'hypervisor_hostname', 'ignore_hosts')
#: Questions that a process may have asked schedulers at one time; its other
#: threads answer all else meanwhile.
AT_ONCE = 2

_room = threading.BoundedSemaphore(AT_ONCE)


def simulate(asked: Asked) -> dict[str, Any]:
    """Where servers would go."""
    request, changes = _read(asked)
    with _turn():
        decision = asked.backends.scheduler().simulate(
            asked.context, request, changes=changes
        )
    if not asked.may(rules.HOSTS):
        decision = unnamed(decision)
    return {'simulation': serialized.plain(decision)}


def capacity(asked: Asked) -> dict[str, Any]:
    """How many more servers fit."""
    request, changes = _read(asked)
    if request.count != 1:
        raise HttpError(
            400, 'invalid_request', 'capacity is counted in requests for one '
            'server: leave out count'
        )
    with _turn():
        found = asked.backends.scheduler().capacity(
            asked.context, request, changes=changes
        )
    named = asked.may(rules.HOSTS)
    decision = found.decision
    found.decision = None
    told = found.to_dict()
    if not named:
        # The name of an aggregate may tell as much.
        told['hosts'], told['aggregates'] = {}, {}
        decision = decision and unnamed(decision)
    told['decision'] = serialized.plain(decision) if decision else None
    return {'capacity': told}


def _read(asked: Asked) -> tuple[BootRequest, Changes]:
    """What is asked for, as far as the caller may ask for it."""
    given: Mapping[str, Any] = asked.body['request']
    if asked.body.get('changes'):
        asked.require(rules.CHANGES)
    request = BootRequest.from_dict({
        'project_id': asked.context.project_id or '',
        'user_id': asked.context.user_id or '', **given,
    })
    changes = Changes.from_dict(asked.body.get('changes') or {})
    own = asked.context.project_id or ''
    if request.project_id != own or 'user_id' in given:
        asked.require(rules.ALL_PROJECTS)
    _, host, node = request.zone_host_and_node
    if host or node or any(given.get(name) for name in _HOSTS):
        asked.require(rules.HOSTS)
    if not asked.may(rules.FLAVORS):
        if not request.flavor.flavorid:
            asked.require(rules.FLAVORS)
        request = dataclasses.replace(request, stored_flavor=True)
    return request, changes


@contextlib.contextmanager
def _turn() -> Iterator[None]:
    if not _room.acquire(blocking=False):
        raise HttpError(
            503, 'busy', f'{AT_ONCE} questions of this kind are asked here '
            'at present, and no more may be; ask again later'
        )
    try:
        yield
    finally:
        _room.release()
