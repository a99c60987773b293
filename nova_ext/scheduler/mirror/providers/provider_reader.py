"""Read resource providers by placement's API, those that changed.

A provider's generation tells that it changed, but for two things. Deleting a
consumer's allocations with DELETE, as Nova does for deleted servers, leaves
it as it was (placement.objects.allocation.delete_all). So a row of the listed
generation shows what is used, or more, never less. nova-compute writes the
host's row shortly before it deletes: its provider's usages are read then, and
once more a minute later. For claims that a scheduler takes back no row
changes. And setting aggregates with a microversion before 1.19, which is what
OpenStackClient does by default, leaves it as well
(placement.handlers.aggregate). So both are read again after some time.
"""

import dataclasses
import itertools
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from keystoneauth1 import exceptions as keystone

from nova_ext.engine.providers import Inventory, Provider
from nova_ext.scheduler.mirror.providers.loading_report import LoadingReport
from nova_ext.scheduler.mirror.providers.open_file import Known, OpenFile
from nova_ext.scheduler.mirror.providers.pace import Pace
from nova_ext.scheduler.mirror.providers.provider_file import ProviderFile

#: Aggregates have a generation since 1.19, trees are seen since 1.14.
VERSION = '1.36'
#: Seconds after which what no generation tells of is read again, if placement
#: is fast enough.
SWEEP_S = 600
#: All that is read of a provider.
_WHOLE = ('inventories', 'usages', 'traits', 'aggregates')
#: What no generation tells of.
_UNTOLD = ('usages', 'aggregates')
#: Seconds after a host's row changed. A reading before the first is repeated
#: at once, as databases cut off fractions of seconds; one before the second
#: when that is over, as clocks differ and a deletion takes its time.
_SETTLED_S = (2, 60)
#: Seconds of a reading while rows are missing: listing them takes time, too.
_LOADING_S = 60
#: Providers of a turn that can't be read; the others are read all the same.
_MAX_ERRORS = 3


class PlacementError(Exception):
    """Say what placement answered in place of a provider."""


class ProviderReader:
    """Read providers into a file.

    :param file: the machine's.
    :param get_client: returns Nova's report client. Workers make their own,
        after the fork.
    """

    def __init__(
        self, file: ProviderFile, get_client: Callable[[], Any], pace: Pace,
    ) -> None:
        self._file = file
        self._get_client = get_client
        self._pace = pace
        self._lock = threading.Lock()
        #: When those that are not right now were so, by the monotonic clock;
        #: None: that is not known.
        self._right_at: dict[str, float | None] = {}
        #: Those about which placement answered with an error last.
        self._failed: set[str] = set()
        self._read_before: float | None = None
        self._epoch = ''
        self._loading: LoadingReport | None = None

    def read(
        self, changed_at: Mapping[str, float], max_age_s: float,
        time_s: float = math.inf,
    ) -> None:
        """Read the providers whose generation changed, and some others.

        :param changed_at: when each host's row changed, in seconds since
            1970, by its provider's UUID.
        :param max_age_s: rows that were right longer ago are of no use.
        :param time_s: after so much time the rest is left to the next
            reading; what the list took is granted once more, at least.
        :raises PlacementError: where placement does not answer as it should.
        :raises ClientException: where it does not answer.
        """
        with self._lock, self._file.open() as file:
            self._pace.count()
            with self._pace.take_turn():
                began, began_at = time.monotonic(), time.time()
                listed = self._get('/resource_providers')['resource_providers']
            listed_at = self._pace.free_at
            generations = {
                item['uuid']: item['generation'] for item in listed
            }
            known, wanted = file.list_known(), file.list_wanted()
            file.set_listing(generations, began, _find_trees(listed))
            self._failed &= generations.keys()
            self._compare(file, generations, known, max_age_s)
            self._note(file, began)
            if self._loading is not None:
                time_s = max(time_s, _LOADING_S)
            ends = max(began + time_s, 2 * listed_at - began)
            errors: list[Exception] = []
            # Those about which placement answered with an error come last.
            for uuid, parts in sorted(self._list_due(
                generations, known, wanted, changed_at, began_at
            ), key=lambda due: due[0] in self._failed):
                if self._pace.ended or time.monotonic() >= ends or (
                    len(errors) >= _MAX_ERRORS
                ):
                    break
                try:
                    self._read_one(file, uuid, parts)
                    self._failed.discard(uuid)
                except (PlacementError, keystone.ClientException) as error:
                    self._failed.add(uuid)
                    errors.append(error)
                if self._loading is not None and self._loading.is_to_report():
                    self._note(file, began)
            self._note(file, began)
            self._read_before = began
        if errors:
            raise errors[0]

    def _compare(
        self, file: OpenFile, generations: Mapping[str, int],
        known: Mapping[str, Known], max_age_s: float,
    ) -> None:
        """Find the rows that are not right, and when they were."""
        listing = file.get_listing()
        if listing.epoch != self._epoch:  # nothing is known of its rows
            self._epoch, self._read_before = listing.epoch, None
            self._right_at = {}
        before = self._read_before
        if before is None:  # another process has read, or none
            self._right_at = file.list_behind()
            before = listing.right_at
            if before is not None and time.monotonic() - before > max_age_s:
                before, self._right_at = None, {}
        self._right_at = {
            uuid: self._right_at.get(uuid, before)
            for uuid, generation in generations.items()
            if uuid not in known or known[uuid].generation != generation
        }
        unknown = list(self._right_at.values()).count(None)
        if unknown and self._loading is None:
            self._loading = LoadingReport(unknown)

    def _list_due(
        self, generations: Mapping[str, int], known: Mapping[str, Known],
        wanted: Mapping[str, float], changed_at: Mapping[str, float],
        now_at: float,
    ) -> Iterable[tuple[str, Sequence[str]]]:
        """Return what is to be read, and what of it.

        What changed longest ago comes first, then what was read so.
        """
        behind = sorted(
            self._right_at, key=lambda uuid: self._right_at[uuid] or 0.0
        )
        right = known.keys() & generations.keys() - self._right_at.keys()
        due = {
            uuid for uuid in right
            if known[uuid].began <= wanted.get(uuid, -math.inf)
            or _is_unsettled(
                known[uuid].began_at, changed_at.get(uuid), now_at
            )
        }
        old = time.monotonic() - SWEEP_S
        swept = {uuid for uuid in right - due if known[uuid].began < old}
        by_age = sorted(due, key=lambda uuid: known[uuid].began)
        # Neither of them waits for all of the other.
        for pair in itertools.zip_longest(
            [(uuid, _WHOLE) for uuid in behind],
            [(uuid, _UNTOLD) for uuid in by_age],
        ):
            yield from filter(None, pair)
        for uuid in sorted(swept, key=lambda uuid: known[uuid].began):
            yield uuid, _UNTOLD

    def _read_one(
        self, file: OpenFile, uuid: str, parts: Sequence[str]
    ) -> None:
        """Read a provider, or some of it.

        One that changes or goes meanwhile is read at the next turn. There is
        no rest in between, so that this is seldom.
        """
        with self._pace.take_turn():
            began, began_at = time.monotonic(), time.time()
            answers = {
                part: self._get(f'/resource_providers/{uuid}/{part}')
                for part in parts
            }
        generations = {
            answer and answer['resource_provider_generation']
            for answer in answers.values()
        }
        if len(generations) > 1 or None in generations:
            return
        generation, used = generations.pop(), answers['usages']['usages']
        aggregates = frozenset(answers['aggregates']['aggregates'])
        if 'inventories' not in answers:
            file.put_untold(
                uuid, generation, used, aggregates, began, began_at
            )
            return
        file.put(Provider(
            uuid, generation,
            {
                name: Inventory(**{
                    field.name: values[field.name]
                    for field in dataclasses.fields(Inventory)
                })
                for name, values
                in answers['inventories']['inventories'].items()
            },
            used, frozenset(answers['traits']['traits']), aggregates,
        ), began, began_at)
        self._right_at.pop(uuid, None)

    def _note(self, file: OpenFile, listed: float) -> None:
        """Note how much is right, and since when.

        :param listed: when the list was requested.
        """
        # One that can't be read keeps no other from being used.
        behind = {
            uuid: 0.0 if right_at is None and uuid in self._failed
            else right_at for uuid, right_at in self._right_at.items()
        }
        file.set_right(listed, behind)
        unknown = list(behind.values()).count(None)
        if self._loading is not None:
            self._loading.report(unknown)
            if not unknown:
                self._loading = None

    def _get(self, url: str) -> Any:
        """Return placement's answer; None of what is not there any more."""
        answer = self._get_client().get(url, version=VERSION)
        if answer.status_code == 404:
            return None
        if answer.status_code != 200:
            raise PlacementError(f'{url}: HTTP {answer.status_code}')
        return answer.json()


def _find_trees(listed: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the root of each provider that is in a tree of several."""
    roots = {
        item['root_provider_uuid'] for item in listed
        if item['parent_provider_uuid']
    }
    return {
        item['uuid']: item['root_provider_uuid'] for item in listed
        if item['root_provider_uuid'] in roots
    }


def _is_unsettled(
    read_at: float, changed_at: float | None, now_at: float
) -> bool:
    """Say whether a host's row changed since its provider was read.

    Times are seconds since 1970.
    """
    if changed_at is None:
        return False
    soon, late = (changed_at + after_s for after_s in _SETTLED_S)
    return read_at < soon or read_at < late <= now_at
