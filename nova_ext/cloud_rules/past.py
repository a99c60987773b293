"""Check rules against a journal: what it knows of a cloud at a time."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.scheduler import UnknownError
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation import serialized
from nova_ext.doctor.model import Aggregate
from nova_ext.journal.moment import PARTIAL, BootLike, PastCloud


class JournaledCloud(JudgedCloud):
    """Look up names in a journal.

    :param past: what it says.
    :param scheduler: has the configuration of then.
    """

    def __init__(self, past: PastCloud, scheduler: Any) -> None:
        super().__init__(None, None, JournaledScheduler(  # type: ignore[arg-type]
            past, scheduler
        ))
        self._past = past

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Return the hosts that requests were offered."""
        return frozenset(host for host, _ in self._past.hosts)

    @cached_property
    def aggregates(self) -> list[Aggregate]:
        """Return the aggregates that these hosts were in."""
        by_uuid = {}
        for facts in self._past.hosts.values():
            for each in facts.values.get('aggregates') or ():
                data = each['nova_object.data']
                by_uuid[data['uuid']] = Aggregate(
                    data['uuid'], data['name'],
                    frozenset(data.get('hosts') or ()),
                    data.get('metadata') or {},
                )
        return list(by_uuid.values())

    @property
    def flavors(self) -> Mapping[str, Mapping[str, str]]:
        """Return the extra specs of the flavors that were requested."""
        return {
            name: flavor.get('extra_specs') or {}
            for name, flavor in self._past.flavors.items()
        }

    def get_aggregate(self, name: str) -> Aggregate:
        """Return an aggregate.

        :raises UnknownError: no host of the journal is in one of this name.
        """
        try:
            return super().get_aggregate(name)
        except NovaExtError as error:
            raise UnknownError(f'in the journal {error}') from error

    def build_request(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return a boot by a rule's fields, for JournaledScheduler."""
        return {
            'flavor': fields['flavor'],
            'image': fields.get('with image', ''),
            'zone': fields.get('in zone', ''),
            'project': fields.get('for project', ''),
            'hints': {
                name: [value]
                for name, value in fields.get('with hints', {}).items()
            },
        }


class JournaledScheduler:
    """Answer as a scheduler would have; see :class:`.scheduler.Scheduler`."""

    def __init__(self, past: PastCloud, scheduler: Any) -> None:
        self._past = past
        self._scheduler = scheduler

    def simulate(
        self, request: Mapping[str, Any], changes: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the explanation of a boot.

        :raises NovaExtError: the journal does not know it.
        """
        if changes.get('ignore_room'):
            raise UnknownError(
                'a journal does not know what full hosts would say, as '
                'placement left them out: leave out "room: ignored"'
            )
        like = BootLike(**request)
        decision, notes = self._scheduler.simulate(
            self._past.find_boot(like), like, changes.get('new_group', '')
        )
        _refuse_partial(notes)
        return serialized.serialize(decision)

    def capacity(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return how many servers would have fitted.

        :raises NovaExtError: the journal does not know it.
        """
        like = BootLike(**request)
        capacity, notes = self._scheduler.count(
            self._past.find_boot(like), like
        )
        _refuse_partial(notes)
        decision, capacity.decision = capacity.decision, None
        return {
            **capacity.to_dict(), 'decision': serialized.serialize(decision),
        }

    def list_filters(self) -> list[str]:
        """Return the names of the enabled filters."""
        filters: list[str] = self._scheduler.list_filters()
        return filters

    def list_multipliers(self) -> Mapping[str, float | None]:
        """Return the multipliers of weighers in force."""
        multipliers: Mapping[str, float | None] = (
            self._scheduler.list_multipliers()
        )
        return multipliers


def _refuse_partial(notes: Sequence[str]) -> None:
    """Refuse what is decided without all facts.

    :raises UnknownError: a fact is missing.
    """
    missing = [note for note in notes if note.startswith(PARTIAL)]
    if missing:
        raise UnknownError('; '.join(missing))
