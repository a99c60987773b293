"""Keep a snapshot of hosts and providers in memory, and refresh it.

Each worker has a mirror of its own, and a thread that refreshes it: hosts from
Nova's databases, providers from a file that one worker of the machine writes.
No boot waits for it: until it is loaded there is no snapshot.
"""

import functools
import math
import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from oslo_log import log

from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.core.decision.fallback import Fallback
from nova_ext.engine.providers import Amounts
from nova_ext.scheduler.base import options
from nova_ext.scheduler.claims.claim_broadcaster import (
    AnnouncedClaim,
    ClaimBroadcaster,
)
from nova_ext.scheduler.claims.first_claims import ClaimBatches
from nova_ext.scheduler.claims.ledger import Ledger
from nova_ext.scheduler.mirror import (
    cloud_reader,
    journaled_hosts,
    own_claims,
)
from nova_ext.scheduler.mirror.activity import Activity
from nova_ext.scheduler.mirror.cloud_reader import CloudReader
from nova_ext.scheduler.mirror.deciding.candidates import DecisionInputs
from nova_ext.scheduler.mirror.deciding.mirrored_request import MirroredRequest
from nova_ext.scheduler.mirror.deciding.second_look import SecondLook
from nova_ext.scheduler.mirror.deciding.verification import Verification
from nova_ext.scheduler.mirror.hosts import servers
from nova_ext.scheduler.mirror.own_claims import OwnClaims
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.mirror.refresh_thread import RefreshThread
from nova_ext.scheduler.mirror.snapshot import Snapshot
from nova_ext.scheduler.plugins.traced import copy_untraced

LOG = log.getLogger(__name__)

#: Seconds for which claims are held one by one, while nothing is read.
_APART_S = 600


class Mirror:
    """Keep a snapshot.

    :param host_manager: Nova's.
    :param get_client: returns Nova's report client.
    :ivar snapshot: None until all was read once.
    :ivar claims: those that the snapshot does not show.
    :ivar batches: sends claims to placement.
    :ivar broadcaster: tells other schedulers of this worker's.
    :ivar may_decide: it is configured to decide, and not to verify alone.
    :ivar off: why it decides nothing in this worker; None: it may.
    """

    def __init__(
        self, host_manager: Any, get_client: Callable[[], Any]
    ) -> None:
        self._host_manager = host_manager
        self._get_client = get_client
        self.snapshot: Snapshot | None = None
        self.claims = Ledger()
        self.batches = ClaimBatches()
        self.broadcaster = ClaimBroadcaster()
        self._own_claims = OwnClaims()
        self.off: Fallback | None = None
        self._activity = Activity()
        self.may_decide = options.CONF.nova_ext.mirror == 'on'
        self._filters = [
            copy_untraced(filter_) for filter_ in host_manager.enabled_filters
        ]
        self._weighers = [
            copy_untraced(weigher) for weigher in host_manager.weighers
        ]
        self._cloud = CloudReader(
            host_manager, get_client, nova_plugins.make_readers(self._weighers)
        )
        self._refreshing = threading.Lock()
        self._thread = RefreshThread(self._pass, self._has_news)

    def is_to_decide(self) -> bool:
        """Say whether the mirror is to decide the next request.

        Nova decides some, which are compared with the mirror.
        """
        percent = options.CONF.nova_ext.mirror_verify_percent
        drawn = random.random() * 100 < percent  # noqa: S311  not a secret
        return self.may_decide and (not drawn or self.off is not None)

    def verify(self, spec: Any) -> Verification:
        """Begin to compare Nova's decision on a request with the engine's."""
        journaled_hosts.note_unranked(self.make_inputs)
        return Verification(
            DecisionInputs(
                self.snapshot, self._filters, self._weighers, self.off
            ),
            spec,
            self._turn_off if self.may_decide else lambda difference: None,
        )

    def begin(
        self, spec: Any, servers: Sequence[str] | None, together: bool = True
    ) -> MirroredRequest:
        """Begin to decide a request.

        :param servers: UUIDs; None in the legacy form.
        :param together: claim for several new servers by one request.
        """
        return self.make_request(
            spec, servers, self._filters, self._weighers, together=together
        )

    def make_request(
        self, spec: Any, servers: Sequence[str] | None,
        filters: Sequence[Any], weighers: Sequence[Any], *,
        together: bool = False, simulated: bool = False,
    ) -> MirroredRequest:
        """Return what decides a request.

        :param servers: UUIDs; None in the legacy form.
        :param filters: Nova's filters, untraced.
        :param weighers: Nova's weighers, untraced.
        :param together: claim for several new servers by one request.
        :param simulated: its servers do not exist.
        """
        inputs, own = self._make_inputs(filters, weighers)
        return MirroredRequest(
            inputs, self._host_manager, spec, servers, together=together,
            simulated=simulated, make_look=functools.partial(
                SecondLook, lambda states: own_claims.deduct_each(
                    self._cloud.host_reader.read_again(states), own
                ), self._get_client, filters,
            ), on_refused=self.wake,
        )

    def make_inputs(self) -> DecisionInputs:
        """Return what requests are decided from now."""
        return self._make_inputs(self._filters, self._weighers)[0]

    def _make_inputs(
        self, filters: Sequence[Any], weighers: Sequence[Any]
    ) -> tuple[DecisionInputs, Amounts]:
        """Return what requests are decided from now.

        :returns: it, and what was claimed here and is not read yet.
        """
        weighs_own = options.CONF.nova_ext.mirror_weighs_own_claims
        with self.claims.lock:
            snapshot, held = self.snapshot, self.claims.sum_up()
            own = self.claims.sum_up_own() if weighs_own else {}
        if snapshot is not None and weighs_own:
            snapshot = self._own_claims.deduct(snapshot, own)
        return DecisionInputs(
            snapshot, filters, weighers, self.off, held,
            self.claims.get_amounts,
        ), own

    def take_claims(
        self, worker: str, claims: Iterable[AnnouncedClaim]
    ) -> None:
        """Hold what another worker is about to claim until it is read.

        :param worker: this worker's own are held since they began.
        """
        snapshot, now = self.snapshot, time.monotonic()
        if snapshot is None or worker == self.broadcaster.worker:
            return
        for provider, amounts in claims:
            if provider in snapshot.providers.rows:
                self.claims.add_announced(provider, amounts, now)

    def note_servers(self, host: str) -> None:
        """Have the journal keep the servers of a host: they changed."""
        if options.CONF.nova_ext.journal:
            journaled_hosts.note_servers(
                host, servers.get_known(self._host_manager, host)
            )

    def end_request(
        self, check: MirrorCheck, request: MirroredRequest | None
    ) -> None:
        """Count a request that is answered now.

        :param check: what the mirror did for it.
        :param request: decided it, if anything of the mirror did. Claims that
            it has not sent are held no longer.
        """
        self._activity.add(check)
        if request is not None:
            self.claims.cancel(request.take_pending())

    def describe(self) -> dict[str, Any]:
        """Return what it does, as plain data.

        :returns: ``mode`` as configured; ``state``: ``on``, ``off`` or
            ``loading``; ``reason`` of ``off``; ``age_s`` and number of
            ``hosts``, None until it is loaded; how many ``providers``
            placement has, and of how many what it has was read, None where
            the file can't be read; UUIDs of those ``refusing`` claims; and how
            many requests there were, see :meth:`Activity.describe`.
        """
        snapshot, counts = self.snapshot, self._cloud.count_providers()
        return {
            'mode': options.CONF.nova_ext.mirror,
            'state': 'off' if self.off
            else 'loading' if snapshot is None else 'on',
            'reason': self.off.text if self.off else '',
            'age_s': snapshot and round(snapshot.look(
                options.CONF.nova_ext.mirror_max_age_s
            )[0], 1),
            'hosts': snapshot and len(snapshot.hosts),
            'providers': counts and counts[0],
            'providers_read': counts and counts[1],
            'refusing': self.claims.list_refusing(),
            **self._activity.describe(),
        }

    def wake(self) -> None:
        """Have what changed read at once."""
        self._thread.wake()

    def start(self) -> None:
        """Begin to refresh."""
        self._cloud.placement.start()
        self._thread.start()
        self.broadcaster.start()

    def stop(self) -> list[threading.Thread]:
        """Tell its threads to end, and return them."""
        return [
            self._cloud.placement.stop(), self._thread.stop(),
            self.broadcaster.stop(),
        ]

    def refresh(self, placement_s: float = math.inf) -> Snapshot | None:
        """Read all that changed, and make a snapshot of it.

        While placement is read, at its pace, another thread may refresh.

        :param placement_s: seconds to read placement in; 0: it is not read.
        :returns: None where it is not loaded yet.
        """
        with self._refreshing:
            self._cloud.read_hosts(self.claims.list_wanted())
            if not placement_s:
                return self._make_snapshot()
        self._cloud.placement.read(placement_s)
        with self._refreshing:
            return self._make_snapshot()

    def _make_snapshot(self) -> Snapshot | None:
        """Make a snapshot of what was read.

        :returns: None where rows are missing.
        """
        new = self._cloud.make_snapshot(self.snapshot)
        if new is None:
            return None
        # A request that began before may claim on one that is gone.
        last = self.snapshot or new
        with self.claims.lock:
            self.snapshot = new
            self.claims.observe(self._cloud.pop_taken())
            self.claims.keep(
                new.providers.rows.keys() | last.providers.rows.keys()
            )
        return new

    def _turn_off(self, difference: str) -> None:
        self.off = Fallback.DIFFERED
        LOG.error(
            'The mirror is turned off in this worker, as it differs from '
            'Nova: %s', difference,
        )

    def _pass(self) -> None:
        """Read hosts, and make a snapshot with what was read of placement."""
        first = self.snapshot is None
        try:
            snapshot = self.refresh(0)
        finally:
            self.claims.compact(time.monotonic() - _APART_S)
        if first and snapshot is not None:
            LOG.info('The mirror is loaded: %d hosts', len(snapshot.hosts))

    def _has_news(self) -> bool:
        """Say whether an old snapshot, or none, can be replaced."""
        snapshot = self.snapshot
        read_at = None if snapshot is None else snapshot.read_at
        return not cloud_reader.is_fresh(read_at) and self._cloud.has_newer()
