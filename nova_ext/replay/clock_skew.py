"""Find by how much the clocks of machines differ that wrote journals.

A server is on a host only after its first boot was decided. Where one machine
decided that and another one has seen it, the one decision came before the
other, whatever their clocks say.
"""

from collections import Counter
from collections.abc import Iterator

from nova_ext.core.request.operation import Operation
from nova_ext.journal.model import HostFacts, JournalDecision
from nova_ext.journal.replayed import HostKey

#: Clocks that differ less, in seconds, are as right as a journal can tell: a
#: decision's hosts are read some time after its request came.
LEAST_S = 10.0


class ClockSkew:
    """Compare the clocks of machines by their decisions."""

    def __init__(self) -> None:
        #: Which machine decided a server's first boot, and when.
        self._booted: dict[str, list[tuple[str, float]]] = {}
        #: When a machine first saw a server on a host.
        self._seen: dict[str, dict[str, float]] = {}
        self._known: dict[tuple[str, HostKey], HostFacts] = {}
        self._decisions: Counter[str] = Counter()

    def add(
        self, machine: str, source: str, decision: JournalDecision
    ) -> None:
        """Add a decision; those of a file in order.

        :param source: name of the file.
        """
        self._decisions[machine] += 1
        for facts in decision.hosts if _has_servers(decision) else ():
            key = source, (facts.host, facts.node)
            if self._known.get(key) is facts:
                continue
            self._known[key] = facts
            for server in facts.values.get('instances') or ():
                seen = self._seen.setdefault(server, {})
                seen[machine] = min(
                    seen.get(machine, decision.time), decision.time
                )
        if decision.operation == Operation.FIRST_BOOT.value:
            for server in decision.servers:
                self._booted.setdefault(server, []).append(
                    (machine, decision.time)
                )

    def list_notes(self) -> Iterator[str]:
        """Yield a line for each clock that differs from the first machine's.

        That is the one with the most decisions.
        """
        if len(self._decisions) < 2:
            return
        first, *others = [name for name, _ in self._decisions.most_common()]
        for machine in others:
            least, most = self._find_bounds(first, machine)
            if least > LEAST_S:
                span = f'ahead of that of {first}: {_span(least, most)}'
            elif most < -LEAST_S:
                span = f'behind that of {first}: {_span(-most, -least)}'
            else:
                continue
            yield (
                f'the clock of {machine} is {span}; each decision has its own '
                f'machine\'s time, in --since, --until and the report\'s order'
            )

    def _find_bounds(self, first: str, other: str) -> tuple[float, float]:
        """Return what the other's clock is ahead at least, and at most."""
        least, most = float('-inf'), float('inf')
        for server, ((machine, time), *again) in self._booted.items():
            seen = self._seen.get(server, {})
            if again:
                continue
            if machine == first and other in seen:
                most = min(most, seen[other] - time)
            elif machine == other and first in seen:
                least = max(least, time - seen[first])
        return least, most


def _has_servers(decision: JournalDecision) -> bool:
    """Say whether hosts have the servers of the decision's moment.

    Where the mirror decides, they have them only if it asked for them.
    """
    data = decision.spec.get('nova_object.data', {})
    hints = data.get('scheduler_hints') or {}
    return not decision.mirrored or bool(data.get('instance_group')) or (
        not hints.keys().isdisjoint(('different_host', 'same_host'))
    )


def _span(least: float, most: float) -> str:
    if most == float('inf'):
        return f'{least:.0f} s or more'
    return f'{least:.0f} to {most:.0f} s'
