"""From a finished trace to the record, off the request's path."""

import time
from functools import cache
from typing import Any

from nova import exception

from nova_ext.core import decision as d
from nova_ext.record.writer import EXIT_S, Writer
from nova_ext.scheduler import facts, options, trace
from nova_ext.scheduler.harmless import harmless

#: Seconds for which the list of all hosts is reused: failures come in
#: storms, and each explanation needs it.
HOSTS_AGE_S = 10.0


class Recorder:
    """Hands decisions to the writer, completed in its thread."""

    def __init__(self) -> None:
        self._writer = Writer(options.CONF)
        self._facts = facts.NovaFacts()
        self._hosts: list[str] = []
        self._read_at = -HOSTS_AGE_S

    @property
    def enabled(self) -> bool:
        """Whether decisions are recorded at all."""
        return bool(options.CONF.nova_ext_record.enabled)

    def record(self, made: d.Decision, hosts: list[str]) -> None:
        """Record a decision; returns at once and never raises.

        :param hosts: names of the hosts that the scheduler saw; what the
            cloud has beyond them placement did not offer.
        """
        self._writer.put(lambda: self._complete(made, hosts))

    def flush(self, timeout_s: float) -> None:
        """Wait until what was recorded so far is written."""
        self._writer.flush(timeout_s)

    @harmless
    def close(self) -> None:
        """Write what waits; a scheduler ends without Python's own exit."""
        self.flush(EXIT_S)

    def _complete(self, made: d.Decision, hosts: list[str]) -> d.Decision:
        if made.outcome == d.PLACED or made.by.get('rung') == 1:
            return made
        if made.occasion == 'rebuild':
            return made
        seen = set(hosts)
        absent = [name for name in self._all_hosts() if name not in seen]
        first = made.attempts[0].hosts_in if made.attempts else 0
        made.hosts_total = first + len(absent)
        made.absent = d.Rejection(_absence(made), len(absent), absent)
        return made

    def _all_hosts(self) -> list[str]:
        if time.monotonic() - self._read_at > HOSTS_AGE_S:
            self._hosts = self._facts.all_hosts()
            self._read_at = time.monotonic()
        return self._hosts


def _absence(made: d.Decision) -> str:
    if made.placement is None:
        return 'placement was not asked'
    return 'no candidate from placement'


class Recording:
    """One request's decision, recorded on every exit.

    Used with ``with``, around all that Nova does for the request.

    :param context: the request's context.
    :param spec: the request spec.
    :param servers: server UUIDs; None in the legacy form.
    :param driver: the class that decides.
    """

    def __init__(
        self, context: Any, spec: Any, servers: Any, driver: type[Any]
    ) -> None:
        self._about = (context, spec, driver.__name__)
        self._servers = list(servers or ())
        self._made: trace.Trace | None = None
        self._chosen: dict[str, list[str]] = {}

    @harmless
    def __enter__(self) -> None:
        if get().enabled:
            context, spec, driver = self._about
            self._made = trace.opened(2, context, spec, driver)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        trace.enter(None)
        self._record(error)

    def placed(self, destinations: Any) -> list[str]:
        """Take what was chosen.

        :param destinations: Nova's answer: for each server a list of
            Selection objects, or a dictionary in the legacy form.
        :returns: the chosen host of each server.
        """
        offers = [_hosts(offer) for offer in destinations]
        servers = self._servers or [str(n) for n in range(len(offers))]
        self._chosen = dict(zip(servers, offers, strict=False))
        return [offer[0] for offer in offers if offer]

    @harmless
    def _record(self, error: Any) -> None:
        made = self._made
        if made is None:
            return
        made.decision.servers = self._servers
        if error is None:
            decision = made.close(d.PLACED, chosen=self._chosen)
        elif isinstance(error, exception.NoValidHost):
            decision = made.close(d.NO_VALID_HOST, str(error))
        else:
            decision = made.close(
                d.FAILED, f'{type(error).__name__}: {error}'
            )
        get().record(decision, made.hosts)


def _hosts(offer: Any) -> list[str]:
    """The chosen host and its alternates, out of Nova's answer."""
    if isinstance(offer, dict):
        return [offer['host']]
    return [selection.service_host for selection in offer]


@cache
def get() -> Recorder:
    """The recorder of this process."""
    return Recorder()
