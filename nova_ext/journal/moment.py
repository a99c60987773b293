"""Find the decision of a journal that says how the cloud was at a time."""

import dataclasses
import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError, suggest_names
from nova_ext.core.request.operation import Operation
from nova_ext.journal.contents import list_notes, open_files
from nova_ext.journal.known_providers import KnownProviders
from nova_ext.journal.model import (
    HostFacts,
    JournalDecision,
    JournalProcess,
    JournalProvider,
)
from nova_ext.journal.replayed import HostKey

#: How a note begins on a fact that the journal lacks.
PARTIAL = 'partial, not in the journal: '
#: Fields of a flavor that say what placement and the filters are asked.
_FLAVOR = (
    'vcpus', 'memory_mb', 'root_gb', 'ephemeral_gb', 'swap', 'extra_specs',
)


@dataclass(frozen=True)
class BootLike:
    """Represent a boot as a journal may have one.

    :param flavor: name or ID.
    :param image: name or UUID; empty: any.
    :param zone: availability zone; empty: none is requested.
    :param hints: lists of texts, by name.
    :param project: ID; empty: any.
    """

    flavor: str
    image: str = ''
    zone: str = ''
    hints: Mapping[str, Sequence[str]] = field(default_factory=dict)
    project: str = ''
    count: int = 1


@dataclass
class Moment:
    """Represent how a cloud was: as the worker saw it that decided.

    :param decision: the newest one that was looked for.
    :param process: decided it.
    """

    decision: JournalDecision
    process: JournalProcess

    @property
    def time(self) -> str:
        """Return when it was decided, UTC."""
        return datetime.datetime.fromtimestamp(
            self.decision.time, datetime.UTC
        ).isoformat(timespec='milliseconds').replace('+00:00', 'Z')


class PastCloud:
    """Hold what journals say up to a time.

    :param paths: files, and folders of them.
    :param as_of: seconds since 1970; None: all that is in them.
    :param wanted: UUID of a server, or a request ID, for :meth:`find`.
    :ivar hosts: the newest facts of each host.
    :ivar notes: what could not be read, a line each.
    :raises NovaExtError: none can be read, or none is so old.
    """

    def __init__(
        self, paths: Iterable[Path], as_of: float | None = None,
        wanted: str = '',
    ) -> None:
        self._wanted = wanted
        self.hosts: dict[HostKey, HostFacts] = {}
        self.flavors: dict[str, Mapping[str, Any]] = {}
        self.newest: Moment | None = None
        #: The newest decision of each request that is alike.
        self._boots: dict[str, Moment] = {}
        self._moment: Moment | None = None
        #: The newest decision that has all that a mirror knew.
        self._known: Moment | None = None
        self._providers: Mapping[str, JournalProvider] = {}
        readers, self.notes = open_files(paths)
        seen: dict[HostKey, float] = {}
        for reader in readers:
            providers = KnownProviders()
            for decision in reader:
                providers.add(reader.process, decision)
                if as_of is None or decision.time <= as_of:
                    moment = Moment(decision, reader.process)
                    self._add(moment, seen)
                    if decision.known:
                        self._known = _get_newer(self._known, moment)
                    if self._known is moment:
                        self._providers = providers.now
            self.notes += list_notes(reader)
        if self.newest is None:
            raise self._refuse(
                'the journal has no decision until then; nova-ext journal '
                'show says from when to when it goes'
            )

    @property
    def has_cloud(self) -> bool:
        """Say whether a mirror knew all hosts and providers."""
        return self._known is not None

    def _add(self, moment: Moment, seen: dict[HostKey, float]) -> None:
        decision = moment.decision
        for facts in (*decision.known, *decision.hosts):
            key = facts.host, facts.node
            if seen.get(key, 0.0) <= decision.time:
                seen[key], self.hosts[key] = decision.time, facts
        self.newest = _get_newer(self.newest, moment)
        if self._wanted in (decision.request_id, *decision.servers):
            self._moment = _get_newer(self._moment, moment)
        data = decision.spec.get('nova_object.data', {})
        flavor = _get_data(data, 'flavor')
        if flavor:
            self.flavors[flavor.get('name') or flavor['flavorid']] = flavor
        if _is_plain(decision, data):
            likeness = repr(_describe(data))
            self._boots[likeness] = _get_newer(
                self._boots.get(likeness), moment
            )

    def find(self) -> Moment:
        """Return the newest decision about what is wanted.

        :raises NovaExtError: there is none.
        """
        if self._moment is None:
            raise self._refuse(
                f'the journal has no decision about {self._wanted} until then'
            )
        return self._moment

    def _refuse(self, text: str) -> NovaExtError:
        """Return an error that says what could not be read, too."""
        return NovaExtError('; '.join([*self.notes, text]))

    def find_boot(self, like: BootLike) -> Moment:
        """Return the newest boot that asked placement the same.

        Where a mirror knew the cloud, it is a boot into the newest one, and
        its flavor may be that of another request: with the same image, zone
        and project, and with the same extra specs, Nova's prefilters add the
        same.

        :raises NovaExtError: there is none: nobody knows what placement would
            have answered.
        """
        if like.flavor not in self.flavors and not any(
            like.flavor == flavor.get('flavorid')
            for flavor in self.flavors.values()
        ):
            raise self._refuse(
                f'no request of the journal has flavor {like.flavor}, so '
                f'that placement\'s answer is not known; '
                f'{suggest_names(like.flavor, self.flavors)}'
            )
        alike = [
            moment for moment in self._boots.values()
            if _matches(moment.decision, like)
        ] or list(self._exchange_flavors(like))
        if not alike:
            raise self._refuse(
                f'no boot of the journal until then has flavor {like.flavor}'
                + (f', image {like.image}' * bool(like.image))
                + (f', zone {like.zone}' if like.zone else ', no zone')
                + (f', project {like.project}' * bool(like.project))
                + ' and no server group or named host: what placement would '
                'have answered is not known'
            )
        return self._show_cloud(
            max(alike, key=lambda moment: moment.decision.time)
        )

    def _exchange_flavors(self, like: BootLike) -> Iterator[Moment]:
        """Yield boots that get the flavor of another request."""
        flavor = self.flavors.get(like.flavor) or next(
            each for each in self.flavors.values()
            if each.get('flavorid') == like.flavor
        )
        for moment in self._boots.values() if self._known else ():
            spec = moment.decision.spec
            data = spec['nova_object.data']
            own = _get_data(data, 'flavor')
            if _matches(moment.decision, dataclasses.replace(
                like, flavor=own.get('name', '')
            )) and (own.get('extra_specs') or {}) == (
                flavor.get('extra_specs') or {}
            ):
                yield Moment(dataclasses.replace(moment.decision, spec={
                    **spec, 'nova_object.data': {**data, 'flavor': {
                        **data['flavor'], 'nova_object.data': flavor,
                    }},
                }), moment.process)

    def _show_cloud(self, boot: Moment) -> Moment:
        """Return a boot into all that a mirror knew, if one did."""
        if self._known is None:
            return boot
        known = self._known.decision
        return Moment(dataclasses.replace(
            boot.decision, request_id=known.request_id, time=known.time,
            worker=known.worker, hosts=(), candidates=None, known=known.known,
            providers=tuple(self._providers.values()), held=known.held,
            excluded=known.excluded, mirrored=True, fallback='', missing=tuple(
                dict.fromkeys([*boot.decision.missing, *known.missing])
            ),
        ), self._known.process)


def _get_newer(known: Moment | None, other: Moment) -> Moment:
    if known is not None and known.decision.time > other.decision.time:
        return known
    return other


def _get_data(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return (values.get(name) or {}).get('nova_object.data') or {}


def _is_plain(decision: JournalDecision, data: Mapping[str, Any]) -> bool:
    """Say whether a decision was a boot that named no host and no group."""
    destination = _get_data(data, 'requested_destination')
    return decision.operation == Operation.FIRST_BOOT.value and not any((
        data.get('instance_group'), data.get('force_hosts'),
        data.get('force_nodes'), data.get('ignore_hosts'),
        data.get('requested_resources'), destination.get('host'),
        destination.get('node'),
    ))


def _describe(data: Mapping[str, Any]) -> list[Any]:
    """Return what placement is asked by."""
    flavor, image = _get_data(data, 'flavor'), _get_data(data, 'image')
    return [
        *(flavor.get(name) for name in _FLAVOR), flavor.get('name'),
        image.get('id'), image.get('properties'), data.get('is_bfv'),
        data.get('availability_zone'), data.get('project_id'),
    ]


def _matches(decision: JournalDecision, like: BootLike) -> bool:
    data = decision.spec['nova_object.data']
    flavor, image = _get_data(data, 'flavor'), _get_data(data, 'image')
    return (
        like.flavor in (flavor.get('name'), flavor.get('flavorid'))
        and like.image in ('', image.get('name'), image.get('id'))
        and like.zone == (data.get('availability_zone') or '')
        and like.project in ('', data.get('project_id'))
    )
