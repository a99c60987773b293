"""Carry out items in this zone, by its own Nova."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nova_ext.core.base.offer_signature import HINT
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.zones import states
from nova_ext.zones.items import fence
from nova_ext.zones.items.servers import (
    ListedServer,
    RefusedError,
    Servers,
    SilentError,
)
from nova_ext.zones.items.zone_items import ItemState
from nova_ext.zones.offers.own_cloud import NoMatchError
from nova_ext.zones.server_spec import ServerSpec
from nova_ext.zones.tables.models import Item

#: Key of the metadata by which costs know servers of one owner.
OWNER_KEY = 'nova_ext_owner'
#: No answer yet.
UNANSWERED = 'unanswered'
#: Up to this number, servers without their tags are requested one by one.
_FEW = 3

LOG = logging.getLogger(__name__)


#: Return the fields of a new server that differ from zone to zone:
#: ``flavorRef``, ``imageRef`` and ``networks``; raise NoMatchError.
Match = Callable[[ServerSpec], Mapping[str, Any]]


class OwnItems:
    """Create, find and delete servers in this zone, for one project.

    :param match: remembers nothing; it is asked once for one request.
    :param margin_s: seconds by which clocks of this zone may differ.
    :param free: gives back the room that offers hold, by request ids.
    """

    def __init__(
        self, servers: Servers, match: Match, margin_s: float,
        free: Callable[[Sequence[str]], None],
    ) -> None:
        self._servers = servers
        self._match = match
        self._margin_s = margin_s
        self._free = free

    def find(self, items: Sequence[Item]) -> dict[str, ItemState] | None:
        """Return servers of items that were not sent, by their tags."""
        try:
            listed = self._servers.list_tagged(item.tag for item in items)
        except SilentError as error:
            LOG.warning('%d items are not looked for: %s', len(items), error)
            return None
        return {
            item.key: answer for item in items
            if (answer := self._identify(item, listed))
        }

    def send(self, item: Item, deadline_s: float) -> ItemState:
        """Create a server. It must not be repeated for one item."""
        ends = time.monotonic() + deadline_s
        if time.time() >= item.expires_at:
            return ItemState(states.FAILED, reason='expired')
        try:
            server, hints = self._describe(item)
            server_id = self._servers.create(
                server, hints, item.request_id,
                max(1.0, ends - time.monotonic()),
            )
        except (NoMatchError, RefusedError) as error:
            self._free([item.request_id])
            return ItemState(states.FAILED, reason=error.code)
        except SilentError as error:
            LOG.warning('item %s: %s', item.key, error)
            return ItemState(states.UNKNOWN, reason=UNANSWERED)
        return ItemState(states.SENT, server_id, 'BUILD')

    def look(self, items: Sequence[Item]) -> dict[str, ItemState]:
        """List the servers of items; Nova's silence leaves them out.

        A server that has its host, or gets none, needs no held room.
        """
        try:
            answers, placed = self._look(items)
        except SilentError as error:
            LOG.warning('%d items are not seen: %s', len(items), error)
            return {}
        self._free([
            item.request_id for item in items
            if (answer := answers.get(item.key)) and (
                answer.state in states.ENDED or answer.status == 'ERROR'
                or answer.server_id in placed
            )
        ])
        return answers

    def undo(self, item: Item) -> ItemState:
        """Delete the server by its id.

        Where there is no id, it is looked for by tag, name and age.
        """
        answer = self.look([item]).get(item.key)
        if answer is None:
            return ItemState(states.UNDO, item.server_id)
        if answer.state in states.ENDED:
            return answer
        if answer.server_id is None:
            return ItemState(states.UNDO, reason=answer.reason)
        try:
            self._servers.delete(answer.server_id)
        except SilentError as error:
            LOG.warning('server %s is not deleted: %s', answer.server_id,
                        error)
        return ItemState(states.UNDO, answer.server_id, answer.status)

    def _look(
        self, items: Sequence[Item]
    ) -> tuple[dict[str, ItemState], set[str]]:
        """Return what is known of items, and the ids of servers on hosts."""
        listed = self._servers.list_tagged(item.tag for item in items)
        by_id = {server.id: server for server in listed}
        # Their tags may have been removed, or their cells may be down.
        by_id |= self._find_each([
            item.server_id for item in items
            if item.server_id and item.server_id not in by_id
        ])
        answers = {}
        lost = []
        for item in items:
            if item.server_id is not None:
                answers[item.key] = fence.describe(
                    item.server_id, by_id.get(item.server_id)
                )
                continue
            answer = self._identify(item, listed)
            if item.state == states.FAILED:
                answers[item.key] = (
                    answer if answer and answer.server_id
                    else ItemState(states.FAILED, reason=states.LOST)
                )
            elif answer:
                answers[item.key] = answer
            else:
                lost.append(item)
        return answers | self._look_again(lost), {
            server.id for server in by_id.values() if server.has_host
        }

    def _find_each(self, server_ids: Sequence[str]) -> dict[str, ListedServer]:
        """Return those of some servers that are there."""
        listed, is_whole = (
            self._servers.list_all() if len(server_ids) > _FEW else ([], False)
        )
        by_id = {server.id: server for server in listed}
        servers = [
            by_id.get(server_id) or (
                None if is_whole else self._servers.find(server_id)
            ) for server_id in server_ids
        ]
        return {server.id: server for server in servers if server}

    def _look_again(self, items: Sequence[Item]) -> dict[str, ItemState]:
        """Look for servers that no tag has led to, with the fence."""
        began = time.time()
        answers = {
            item.key: ItemState(states.UNKNOWN, reason=UNANSWERED)
            for item in items
        }
        late = [
            item for item in items
            if fence.is_closed(item, began, True, self._margin_s)
        ]
        if not late:
            return answers
        listed, is_whole = self._servers.list_all()
        for item in late:
            if answer := self._identify(item, listed):
                answers[item.key] = answer
            elif fence.is_closed(item, began, is_whole, self._margin_s):
                answers[item.key] = ItemState(
                    states.FAILED, reason=states.LOST
                )
            else:
                answers[item.key] = ItemState(
                    states.UNKNOWN, reason='not_all_servers_listed'
                )
        return answers

    def _identify(
        self, item: Item, listed: Sequence[ListedServer]
    ) -> ItemState | None:
        return fence.identify(item, listed, self._margin_s)

    def _describe(self, item: Item) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the fields of the new server, and its hints.

        :raises NoMatchError: saying what this zone lacks.
        """
        try:
            build = ServerSpec.from_dict(item.request)
        except WrongArgumentsError:
            raise NoMatchError('invalid') from None
        server: dict[str, Any] = {
            **self._match(build), 'name': item.name, 'tags': [item.tag],
            'metadata': {**build.metadata, OWNER_KEY: build.owner},
        }
        if build.key_name:
            server['key_name'] = build.key_name
        if build.availability_zone:
            server['availability_zone'] = build.availability_zone
        return server, {**build.hints, HINT: item.offer}
