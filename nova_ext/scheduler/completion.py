"""What a closed trace's decision lacks, added when nobody waits for it."""

import time
from functools import cached_property
from typing import Any

from nova_ext.core import decision as d
from nova_ext.scheduler import (
    enabled,
    facts,
    in_force,
    request_facts,
    trace,
)
from nova_ext.scheduler.harmless import harmless

#: Seconds for which the list of all hosts is reused: failures come in
#: storms, and each explanation needs it.
HOSTS_AGE_S = 10.0


class Completion:
    """Completes decisions."""

    def __init__(self) -> None:
        self._facts = facts.NovaFacts()
        self._hosts: list[str] = []
        self._read_at = -HOSTS_AGE_S

    def told(self, closed: trace.Trace, *, in_full: bool) -> d.Decision:
        """The decision, with what the weighers said.

        :param in_full: of a success, too, tell every host's weights.
        """
        closed.tell(in_full=in_full)
        self._mark_unread_hints(closed)
        return self.configured(closed.decision)

    def configured(self, made: d.Decision) -> d.Decision:
        """The decision, with the digest of the configuration."""
        made.by['configuration'] = self._configuration
        return made

    def add_absent(self, closed: trace.Trace) -> None:
        """Add the hosts that the scheduler did not see.

        What the cloud has beyond those, placement did not offer.
        """
        made, seen = closed.decision, set(closed.hosts)
        absent = [name for name in self._all_hosts() if name not in seen]
        first = made.attempts[0].hosts_in if made.attempts else 0
        made.hosts_total = first + len(absent)
        made.absent = d.Rejection(_absence(made), len(absent), absent)

    @harmless
    def _mark_unread_hints(self, closed: trace.Trace) -> None:
        made = closed.decision
        given = made.request.get('hints')
        if given:
            made.unread_hints = in_force.unread(
                given, closed.readers or self._readers
            )

    @cached_property
    def _readers(self) -> list[Any]:
        # In a stock scheduler, where nothing but them is ours.
        return [*enabled.filters(), *enabled.weighers()]

    @cached_property
    def _configuration(self) -> str:
        # None of what it is made of can change while the process lives.
        return request_facts.configuration()

    def _all_hosts(self) -> list[str]:
        if time.monotonic() - self._read_at > HOSTS_AGE_S:
            self._hosts = self._facts.all_hosts()
            self._read_at = time.monotonic()
        return self._hosts


def _absence(made: d.Decision) -> str:
    if made.by.get('rung') == 1:
        return 'did not reach the filters'  # which is all that is seen there
    if made.placement is None:
        return 'placement was not asked'
    return 'no candidate from placement'
