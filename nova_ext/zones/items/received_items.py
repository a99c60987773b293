"""Carry out items that a parent zone sends, within its own requests.

An item is written down before anything is sent. The same request again goes
on from what was written down, and makes no second server. Whoever asks or
deletes it later is answered from Nova or from the child zone that has it.
"""

import dataclasses
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.database.database import Database
from nova_ext.zones import states
from nova_ext.zones.child import run_side_by_side
from nova_ext.zones.items.own_items import UNANSWERED
from nova_ext.zones.items.zone_items import (
    ItemState,
    NoZoneError,
    ZoneItems,
    follow,
)
from nova_ext.zones.tables import items
from nova_ext.zones.tables.models import BODY_FIELDS, Item


class OtherItemError(NovaExtError):
    """Report a key that stands for another item."""


class UnknownItemError(NovaExtError):
    """Report a key that stands for no item of the project."""


#: Return what carries items out in the child zone of a UUID; None: in this
#: zone. Raise NoZoneError.
Choose = Callable[[str | None], ZoneItems]


class ReceivedItems:
    """Manage the items of one project.

    :param choose: see :data:`Choose`.
    :param limit_s: seconds in which a list has to be answered.
    """

    def __init__(
        self, database: Database, project_id: str, choose: Choose,
        limit_s: float,
    ) -> None:
        self._database = database
        self._project_id = project_id
        self._choose = choose
        self._limit_s = limit_s

    def put(
        self, key: str, body: Mapping[str, Any], deadline_s: float
    ) -> ItemState:
        """Write an item down, and carry it out; or go on with it.

        :param body: fields of an :class:`~.item.Item`.
        :raises OtherItemError: where the key stands for another body.
        :raises UnknownItemError: where it is another project's.
        """
        ends = time.monotonic() + deadline_s
        row = self._write_down(key, body)
        if row.state != states.PLANNED:
            return self._continue(row, ends - time.monotonic())
        return self._send(row, ends)

    def show(self, key: str) -> ItemState:
        """Return what is known of an item.

        :raises UnknownItemError: where the project has none of this key.
        """
        row = self._read(key)
        return self._look([row])[row.key]

    def list_(self, build: str) -> dict[str, ItemState]:
        """Return what is known of a build's items, by key.

        Of a child zone that is silent it is what was written down.
        """
        with self._database.reading() as session:
            rows = items.list_of_build(session, build, self._project_id)
        by_child = defaultdict(list)
        for row in rows:
            by_child[row.child_uuid].append(row)
        answers = {row.key: _get_state(row) for row in rows}
        for future in run_side_by_side([
            partial(self._look, part) for part in by_child.values()
        ], self._limit_s):
            if future.done() and not future.cancelled():
                answers |= future.result()
        return answers

    def delete(self, key: str) -> ItemState:
        """Delete an item's server, or see to it that none comes.

        A key that was never put is written down as gone: its request may
        come later. One that was lost is looked for again.

        :raises UnknownItemError: where it is another project's.
        """
        self._add(key, {'state': states.GONE})
        row = self._read(key)
        if row.state not in (states.UNDO, *states.ENDED):
            self._change(row, (states.PLANNED,), state=states.GONE)
            self._change(row, states.UNDOABLE, state=states.UNDO)
            row = self._read(key)
        if row.state == states.FAILED and row.reason == states.LOST:
            return self._undo_late(row)
        return self._undo(row) if row.state == states.UNDO else _get_state(row)

    def _write_down(
        self, key: str, body: Mapping[str, Any]
    ) -> Item:
        fields = {name: body[name] for name in BODY_FIELDS}
        self._add(key, {
            **fields, 'child_uuid': body['via'][0] if body['via'] else None,
        })
        row = self._read(key)
        if any(getattr(row, name) != fields[name] for name in BODY_FIELDS):
            raise OtherItemError(f'item {key} was put with another body')
        return row

    def _add(self, key: str, fields: Mapping[str, Any]) -> None:
        """Write an item down, unless its key is known."""
        with self._database.reading() as session:
            if items.find(session, key):
                return
        with self._database.writing() as session:
            items.add(session, Item(**{
                'key': key, 'build': '', 'project_id': self._project_id,
                **fields,
            }))

    def _send(self, row: Item, ends: float) -> ItemState:
        """Send an item for the first time."""
        try:
            zone = self._choose(row.child_uuid)
        except NoZoneError as error:
            if error.is_brief:
                return _get_state(row, error.code)
            self._change(
                row, (states.PLANNED,), state=states.FAILED, reason=error.code
            )
            return _get_state(self._read(row.key))
        # The database may be an older one than the server.
        by_key = zone.find([row])
        if by_key is None:
            return _get_state(row, UNANSWERED)
        if not self._change(row, (states.PLANNED,), state=states.SENDING):
            # The same request does it at this moment.
            return self._continue(self._read(row.key), ends - time.monotonic())
        return self._note(row, by_key.get(row.key) or zone.send(
            row, max(1.0, ends - time.monotonic())
        ))

    def _continue(self, row: Item, left_s: float) -> ItemState:
        """Go on with an item that was sent, or was being sent."""
        if row.child_uuid is None or row.state not in states.UNANSWERED:
            return self._look([row])[row.key]
        try:
            zone = self._choose(row.child_uuid)
        except NoZoneError as error:
            return _get_state(row, error.code)
        # The child zone goes on with it likewise.
        return self._note(row, zone.send(row, max(1.0, left_s)))

    def _look(self, rows: Sequence[Item]) -> dict[str, ItemState]:
        """Return what is known of items that one zone has."""
        known = {row.key: _get_state(row) for row in rows}
        living = [
            row for row in rows
            if row.state not in (*states.ENDED, states.PLANNED)
        ]
        if not living:
            return known
        try:
            zone = self._choose(rows[0].child_uuid)
        except NoZoneError as error:
            return {row.key: _get_state(row, error.code) for row in rows}
        answers = zone.look(living)
        return known | {
            row.key: self._note(row, answers[row.key])
            for row in living if row.key in answers
        }

    def _undo(self, row: Item) -> ItemState:
        try:
            zone = self._choose(row.child_uuid)
        except NoZoneError as error:
            return _get_state(row, error.code)
        return self._note(row, zone.undo(row))

    def _undo_late(self, row: Item) -> ItemState:
        """Delete a server whose request has come after all."""
        try:
            answer = self._choose(row.child_uuid).undo(row)
        except NoZoneError as error:
            return _get_state(row, error.code)
        return self._note(row, answer) if answer.server_id else _get_state(row)

    def _note(self, row: Item, answer: ItemState) -> ItemState:
        """Write down what was answered, as far as it may follow.

        :returns: what is written down then, with the answer's status.
        """
        noted = row
        after, reason = follow(row.state, answer)
        if answer.server_id not in (None, row.server_id):
            # A server that comes while its item is undone is deleted by id.
            self._change(
                row, states.ITEM_STATES, server_id=answer.server_id
            )
            noted = self._read(row.key)
        before = states.list_before(after)
        if after == states.UNKNOWN and reason != row.reason:
            before = (*before, states.UNKNOWN)
        if after != row.state or row.state in before:
            self._change(row, before, state=after, reason=reason)
            noted = self._read(row.key)
        if noted.state == states.UNDO and after == states.SENT:
            return self._undo(noted)
        return dataclasses.replace(
            _get_state(noted), status=answer.status,
            reason=answer.reason or noted.reason,
        )

    def _change(
        self, row: Item, before: Sequence[str], **values: Any
    ) -> bool:
        with self._database.writing() as session:
            return items.change(
                session, row.key, before, items.RECEIVED, **values
            )

    def _read(self, key: str) -> Item:
        with self._database.reading() as session:
            row = items.find(session, key)
        if row is None or row.project_id != self._project_id:
            raise UnknownItemError(f'item {key}')
        return row


def _get_state(row: Item, reason: str = '') -> ItemState:
    return ItemState(row.state, row.server_id, None, reason or row.reason)
