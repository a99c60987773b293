"""Stand for the mirror, and for placement, in a rolling replay."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.engine.filtering import Rows
from nova_ext.scheduler.claims.ledger import Ledger
from nova_ext.scheduler.mirror.deciding.candidates import (
    Candidates,
    DecisionInputs,
)
from nova_ext.scheduler.mirror.deciding.mirrored_request import (
    MirroredRequest,
)
from nova_ext.scheduler.plugins.traced import copy_untraced
from nova_ext.scheduler.what_if.replay.gaps import Gaps
from nova_ext.scheduler.what_if.replay.rolling.opening import Opening


class JournalMirror:
    """Stand for a mirror that decides, whose snapshot nothing changes.

    :param host_manager: has filters and weighers.
    :ivar opening: what the next request begins with.
    """

    may_decide = True
    batches = None
    opening: Opening

    def __init__(self, host_manager: Any) -> None:
        self._host_manager = host_manager
        #: Stays empty. Where the engine gives up, its claims are released.
        self.claims = Ledger()
        self.filters = list(map(copy_untraced, host_manager.enabled_filters))
        self.weighers = list(map(copy_untraced, host_manager.weighers))

    def make_inputs(self) -> DecisionInputs:
        """Return what requests are decided from."""
        opening = self.opening
        amounts = opening.held.amounts
        return DecisionInputs(
            opening.snapshot, self.filters, self.weighers, opening.off,
            opening.held, lambda provider: amounts.get(provider, {}),
        )

    def make_request(
        self, spec: Any, servers: Sequence[str] | None
    ) -> MirroredRequest:
        """Return what decides a request."""
        return MirroredRequest(
            self.make_inputs(), self._host_manager, spec, servers,
            together=False, simulated=True,
            make_look=_NoSecondLook,  # type: ignore[arg-type]
            on_refused=lambda: None,
        )


class _NoSecondLook:
    """Look at nothing: nobody else changes the cloud."""

    def __init__(self, *_: Any) -> None:
        self.refused: set[int] = set()

    def has_seen(self, row: int) -> bool:
        """Say that it was looked at."""
        return True

    def look(self, columns: Any, rows: Rows) -> tuple[Mapping[int, Any], Rows]:
        """Find nothing that changed."""
        return {}, np.zeros(0, np.int64)


class RollingPlacement:
    """Answer for Nova's placement client from the rolling cloud.

    It is asked where Nova's own code decides.

    :param make_views: returns host states for Nova's filters, by their rows.
    """

    def __init__(
        self, mirror: JournalMirror, host_manager: Any, gaps: Gaps,
        make_views: Callable[[Rows], list[Any]],
    ) -> None:
        self._mirror = mirror
        self._host_manager = host_manager
        self._gaps = gaps
        self._make_views = make_views
        #: Whose recorded answer was given; Nova may ask twice.
        self._answered: Opening | None = None

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Return the candidates, and have the hosts looked at.

        :raises UnknownFactError: for a query that the columns can't answer.
        """
        opening = self._mirror.opening
        if opening.answer is not None:
            return self._answer_again(opening)
        candidates = Candidates(self._mirror.make_inputs(), None)
        query = resources.to_querystring()
        try:
            fits = candidates.find_providers(query)
        except FallbackError as error:
            self._gaps.refuse(f'what placement would have answered: {error}')
        rows = candidates.snapshot.select(fits)
        views = self._host_manager.hosts = self._make_views(rows)
        demand = dict(candidates.demand.resources)
        free = candidates.snapshot.providers.get_free(
            [view.uuid for view in views], demand, {}
        )
        return [
            {
                'allocations': {view.uuid: {'resources': dict(demand)}},
                'mappings': {'': [view.uuid]},
            } for view in views
        ], {
            view.uuid: {
                'resources': {
                    name: {'capacity': amount, 'used': 0}
                    for name, amount in free[view.uuid].items()
                }, 'traits': [], 'parent_provider_uuid': None,
                'root_provider_uuid': view.uuid,
            } for view in views
        }, '1.36'

    def _answer_again(self, opening: Opening) -> Any:
        """Return placement's answer of then."""
        answer = opening.answer or {}
        version = answer.get('version')
        if self._answered is opening:
            return [], {}, version  # the first one has all
        self._answered = opening
        return (
            list(answer['allocation_requests']),
            dict(answer['provider_summaries']), version,
        )
