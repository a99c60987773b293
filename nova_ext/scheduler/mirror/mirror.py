"""Keep a snapshot of hosts and providers in memory, and refresh it.

Each worker has a mirror of its own, and a thread that refreshes it. Nothing
waits for it: until it is loaded there is no snapshot.
"""

import random
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from oslo_log import log

from nova_ext.engine.host_columns import HostTable
from nova_ext.engine.provider_columns import ProviderTable
from nova_ext.scheduler.base import options
from nova_ext.scheduler.mirror import nova_plugins, snapshot
from nova_ext.scheduler.mirror.activity import Activity
from nova_ext.scheduler.mirror.claims import Claims
from nova_ext.scheduler.mirror.host_reader import HostReader
from nova_ext.scheduler.mirror.mirrored_request import MirroredRequest
from nova_ext.scheduler.mirror.own_claims import OwnClaims
from nova_ext.scheduler.mirror.provider_reader import ProviderReader
from nova_ext.scheduler.mirror.snapshot import Snapshot
from nova_ext.scheduler.mirror.verification import Verification
from nova_ext.scheduler.plugins.traced import copy_untraced

LOG = log.getLogger(__name__)

#: Of the time, so much may pass in placement's answers to one mirror.
PLACEMENT_SHARE = 0.1


class Mirror:
    """Keep a snapshot.

    :param host_manager: Nova's.
    :param get_client: returns Nova's report client.
    :ivar snapshot: None until all was read once.
    :ivar claims: those of this worker that the snapshot does not show.
    :ivar off_reason: why it decides nothing in this worker; empty: it may.
    """

    def __init__(
        self, host_manager: Any, get_client: Callable[[], Any]
    ) -> None:
        self._host_manager = host_manager
        self.snapshot: Snapshot | None = None
        self.claims = Claims()
        self._own_claims = OwnClaims()
        self.off_reason = ''
        self._activity = Activity()
        self._open = threading.local()
        self._decides = options.CONF.nova_ext.mirror == 'on'
        self._salt = ''
        self._filters = [
            copy_untraced(filter_) for filter_ in host_manager.enabled_filters
        ]
        self._weighers = [
            copy_untraced(weigher) for weigher in host_manager.weighers
        ]
        self._hosts = HostTable(nova_plugins.make_readers(self._weighers))
        self._providers = ProviderTable()
        self._pending: set[str] = set()
        self._host_reader = HostReader(host_manager)
        self._provider_reader = ProviderReader(
            get_client, PLACEMENT_SHARE
        )
        self._stopped = False
        self._wanted = threading.Event()
        self._thread = threading.Thread(
            target=self._run, name='nova-ext-mirror', daemon=True
        )

    def is_to_decide(self) -> bool:
        """Say whether the mirror is to decide the next request.

        Nova decides some, which are held against the mirror.
        """
        percent = options.CONF.nova_ext.mirror_verify_percent
        drawn = random.random() * 100 < percent  # noqa: S311  not a secret
        return self._decides and (not drawn or bool(self.off_reason))

    def verify(self, spec: Any) -> Verification:
        """Begin to hold Nova's decision on a request against the engine's."""
        verification = Verification(
            self.snapshot, self._filters, self._weighers, spec,
            self._turn_off if self._decides else lambda difference: None,
            self.off_reason,
        )
        self._open.check = verification.check
        return verification

    def begin(
        self, spec: Any, servers: Sequence[str] | None
    ) -> MirroredRequest:
        """Begin to decide a request.

        :param servers: UUIDs; None in the legacy form.
        """
        with self.claims.lock:
            taken, held = self.snapshot, self.claims.sum_up()
        if taken is not None and (
            options.CONF.nova_ext.mirror_weighs_own_claims
        ):
            taken = self._own_claims.deduct(taken, held.amounts)
        request = MirroredRequest(
            taken, held, self._host_manager, self._filters, self._weighers,
            spec, servers, self.off_reason,
        )
        self._open.check = request.check
        return request

    def end_request(self) -> None:
        """Count the request of this thread that is answered now."""
        check, self._open.check = getattr(self._open, 'check', None), None
        if check is not None:
            self._activity.add(check)

    def switch(self, active: bool) -> None:
        """Have it decide or verify nothing, or again what is configured."""
        self.off_reason = '' if active else 'turned off: by an operator'
        LOG.warning(
            'The mirror is turned %s in this worker by an operator',
            'on' if active else 'off',
        )

    def describe(self) -> dict[str, Any]:
        """Return what it does, as plain data.

        :returns: ``mode`` as configured; ``state``: ``on``, ``off`` or
            ``loading``; ``reason`` of ``off``; ``age_s`` and number of
            ``hosts``, None until it is loaded; and how many requests there
            were, see :meth:`Activity.describe`.
        """
        read = self.snapshot
        return {
            'mode': options.CONF.nova_ext.mirror,
            'state': 'off' if self.off_reason
            else 'loading' if read is None else 'on',
            'reason': self.off_reason,
            'age_s': read and round(time.monotonic() - read.read_at, 1),
            'hosts': read and len(read.hosts),
            **self._activity.describe(),
        }

    def wake(self) -> None:
        """Have what changed read at once."""
        self._wanted.set()

    def start(self) -> None:
        """Begin to refresh."""
        self._thread.start()

    def stop(self) -> None:
        """End refreshing; do not wait for a pass under way."""
        self._stopped = True
        self._wanted.set()

    def refresh(self) -> Snapshot:
        """Read what changed, and make a snapshot of it."""
        read_at = time.monotonic()
        # Until they were read: a pass may fail in between.
        self._pending |= self.claims.take_pending()
        self._pending |= self._host_reader.read(self._hosts)
        read = self._provider_reader.read(self._providers, self._pending)
        self._pending = {
            uuid for uuid in self._pending - read.keys()
            if self._providers.get(uuid)
        }
        # Not in the constructor, which runs before workers are forked.
        self._salt = self._salt or secrets.token_hex()
        new = snapshot.make(
            self._hosts.freeze(), self._providers.freeze(),
            self._provider_reader.unknown, read_at, self._salt,
        )
        with self.claims.lock:
            self.snapshot = new
            self.claims.let_go(read)
        return new

    def _turn_off(self, difference: str) -> None:
        self.off_reason = 'turned off: a decision differed from Nova\'s'
        LOG.error(
            'The mirror is turned off in this worker, as it differs from '
            'Nova: %s', difference,
        )

    def _run(self) -> None:
        while not self._stopped:
            self._wanted.clear()
            began = time.monotonic()
            first = self.snapshot is None
            try:
                read = self.refresh()
            except Exception as error:  # the next pass may do
                LOG.warning(
                    'The mirror was not refreshed: %s: %s',
                    type(error).__name__, str(error).partition('\n')[0],
                )
            else:
                if first:
                    LOG.info(
                        'The mirror is loaded: %d hosts in %.1f s',
                        len(read.hosts), time.monotonic() - began,
                    )
            self._wanted.wait(options.CONF.nova_ext.mirror_refresh_s)
