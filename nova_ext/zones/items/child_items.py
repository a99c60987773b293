"""Carry out items in a child zone, by its nova-ext-api.

What it answers is not trusted: a schema says what is taken of it, and it
answers of the asked items alone.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib import parse

import jsonschema

from nova_ext.zones import answers, states
from nova_ext.zones.answers import ChildError
from nova_ext.zones.child import Children
from nova_ext.zones.items.zone_items import ItemState
from nova_ext.zones.registry import Child, InsecureUrlError
from nova_ext.zones.schemas.items import ITEM, ITEMS
from nova_ext.zones.tables.models import Item

#: Seconds of a request that only asks or deletes, and by which the zones below
#: have less: their answers pass through this one.
LOOK_S, LEVEL_S = 30.0, 2.0
#: No answer of the zone, which may have carried the request out.
ZONE_SILENT = 'zone_silent'
#: Nothing was sent to it.
UNREACHED = 'zone_unreached'
#: It says that nothing is left of a server that it does not know any more.
FORGOT = 'zone_forgot'
#: Statuses with which nova-ext-api refuses a request before it acts on it; 413
#: may be a proxy's.
_REFUSALS = (400, 401, 403, 404, 406, 409, 413)
_ONE = jsonschema.Draft202012Validator(ITEM)
_MANY = jsonschema.Draft202012Validator(ITEMS)

LOG = logging.getLogger(__name__)


class ChildItems:
    """Send items of one project to one child zone, and ask for them.

    :param look_s: seconds of a request that only asks or deletes.
    """

    def __init__(
        self, children: Children, child: Child, look_s: float
    ) -> None:
        self._children = children
        self._child = child
        self._look_s = look_s

    def find(self, items: Sequence[Item]) -> dict[str, ItemState]:
        """Return nothing: the zone itself knows what was sent by its key."""
        return {}

    def send(self, item: Item, deadline_s: float) -> ItemState:
        """Put the item there; it may be repeated, with the same body."""
        try:
            return self._ask(
                'PUT', item, item.to_body(_shorten(deadline_s)),
                deadline_s,
            )
        except InsecureUrlError:
            return ItemState(states.FAILED, reason='no_https')
        except ChildError as error:
            LOG.warning('zone %s, item %s: %s', self._child.name, item.key,
                        error)
            if item.state == states.PLANNED and (
                error.status in _REFUSALS
            ):
                # Its nova-ext-api has refused it before writing it down.
                return ItemState(
                    states.FAILED, reason=error.code or str(error.status)
                )
            if item.state == states.PLANNED and not error.is_sent:
                return ItemState(states.FAILED, reason=UNREACHED)
            return ItemState(states.UNKNOWN, reason=ZONE_SILENT)

    def look(self, items: Sequence[Item]) -> dict[str, ItemState]:
        """List the items of the build; put there again what it lacks.

        It may lack an item whose request is still on its way, or have
        written one down and died before it sent it. The same request again
        makes no second server.
        """
        keys = {item.key: item for item in items}
        ends = time.monotonic() + self._look_s
        try:
            body = self._send(
                'GET', '/v1/zones/items', None, self._look_s,
                build=items[0].build, deadline_s=_shorten(self._look_s),
            )
            states_by_key = {
                item['key']: _to_state(item)
                for item in answers.read(body, _MANY)['items']
                if item['key'] in keys
            }
        except (ChildError, InsecureUrlError) as error:
            LOG.warning('zone %s: %s', self._child.name, error)
            return {}
        for key in keys.keys() - {
            key for key, answer in states_by_key.items()
            if answer.state != states.PLANNED
        }:
            # What it knew once, and has lost, would be created again.
            unsent = keys[key].server_id is None and (
                keys[key].state in states.UNANSWERED
            )
            if unsent and (left_s := ends - time.monotonic()) > 1:
                states_by_key[key] = self.send(keys[key], left_s)
        return states_by_key

    def undo(self, item: Item) -> ItemState:
        """Delete the item there, so that its request comes too late."""
        try:
            answer = self._ask(
                'DELETE', item, None, self._look_s,
                deadline_s=_shorten(self._look_s),
            )
        except (ChildError, InsecureUrlError) as error:
            LOG.warning('zone %s, item %s: %s', self._child.name, item.key,
                        error)
            return ItemState(states.UNDO, item.server_id, reason=ZONE_SILENT)
        if answer.state in states.ENDED and item.server_id and (
            answer.server_id is None
        ):
            return ItemState(states.UNDO, item.server_id, reason=FORGOT)
        return answer

    def _ask(
        self, method: str, item: Item, body: Any, limit_s: float,
        **query: Any
    ) -> ItemState:
        answer = self._send(
            method, f'/v1/zones/items/{item.key}', body, limit_s, **query
        )
        return _to_state(answers.read(answer, _ONE)['item'])

    def _send(
        self, method: str, path: str, body: Any, limit_s: float, **query: Any
    ) -> bytes:
        # Another zone, or one with another database, refuses it.
        query['zone'] = self._child.uuid
        return self._children.send(
            self._child, method, f'{path}?{parse.urlencode(query)}', body,
            time_limit_s=limit_s,
        )


def _shorten(limit_s: float) -> int:
    """Return the seconds in which the child zone has to answer."""
    return max(1, int(limit_s - LEVEL_S))


def _to_state(item: Mapping[str, Any]) -> ItemState:
    return ItemState(
        item['state'], item['server_id'], item['status'],
        item['reason'] or '',
    )
