"""Gathering one attempt: filters, weighers and driver, for one server."""

from collections.abc import Mapping, Sequence
from typing import Any

from nova_ext.core import decision as d
from nova_ext.core.stats import Stat
from nova_ext.scheduler import drawn, request_facts
from nova_ext.scheduler.explainers.reason import Look, alike
from nova_ext.scheduler.steps import Steps
from nova_ext.scheduler.weighings import Weighings

#: Hosts kept of a ranking, or of a draw; the rest is only counted.
RANKED = 10


def label(host: Any) -> str:
    """A host state's name: the host's, with the node's where they differ.

    See :func:`nova_ext.core.decision.label`.
    """
    return d.label(host.host, host.nodename)


class AttemptTrace:
    """One attempt in the making.

    :param spec: the request spec.
    :param index: 0 for the first server of the request.
    :param hosts: what Nova begins with.
    :param enabled: names of the enabled filters, in order.
    :param ranked: hosts kept of a ranking.
    """

    def __init__(
        self, spec: Any, index: int, hosts: Sequence[Any],
        enabled: Sequence[str], ranked: int = RANKED,
    ) -> None:
        server = spec.instance_uuid if 'instance_uuid' in spec else ''
        self._steps = Steps()
        self.made = d.Attempt(
            server or '', index, len(hosts), steps=self._steps.made
        )
        self.weighings = Weighings()
        self._spec = spec
        self._enabled = enabled
        self._kept = ranked
        self._left = hosts
        self._ranking: Sequence[Any] | None = None
        self._seed: int | None = None
        self._by_driver = False
        self._wanted: list[Any] = []
        self._absent: dict[tuple[str, str], str] = {}

    def step(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], look: Look,
    ) -> None:
        """Add a step that let some hosts go; see :meth:`Trace.step`."""
        if len(before) < len(self._left):
            self._taken_out_by_request(before)
        self._left = after
        self._steps.add(name, kind, before, after, look)

    def absent(self, host: Any, stat: Stat) -> None:
        """Add a stat that an extension asked for and did not get."""
        self._absent[label(host), stat.why] = stat.detail

    def sorted(self, hosts: Sequence[Any], seed: int | None) -> None:
        """Nova is through with filtering, weighing and choosing."""
        self.weighings.close()
        self._ranking = list(hosts)
        self._seed = seed

    def driver_drew(self, seed: int) -> None:
        """The driver drew the order that it has given."""
        self._seed, self._by_driver = seed, True

    def ranked(self, hosts: Sequence[Any]) -> None:
        """End with the hosts that may be used, best first."""
        if len(hosts) < len(self._left):
            self._taken_out_by_request(hosts)
        last = self.made.steps[-1] if self.made.steps else None
        if last and last.kind == 'filter' and not hosts:
            self.made.unasked = self._after(last.name)
        first = list(hosts[:self._kept])
        self.made.ranked = [label(host) for host in first]
        self.made.ranked_count = len(hosts)
        self._left = hosts
        self._wanted += first

    def claimed(self, providers: Mapping[str, Any]) -> str:
        """A host's name, for a try to claim it.

        :param providers: what is claimed, by the UUIDs of placement's
            providers; one of them is the host's own.
        """
        for host in self._left:
            if host.uuid in providers:
                self._wanted.append(host)
                return label(host)
        return d.UNKNOWN_HOST

    def tell(self, *, every_host: bool) -> None:
        """Add why hosts went and what the weighers said of others.

        When nobody waits any more.

        :param every_host: what the weighers said of all of them, and not of
            the first alone.
        """
        self._steps.tell(label)
        self.made.absent_stats = self._absences()
        self.made.weighers = self.weighings.told(
            label, None if every_host else self._wanted
        )
        if self._ranking is None:
            return
        found = (
            drawn.by_driver(self._left, self._seed) if self._by_driver
            else drawn.by_nova(
                self.weighings, self._ranking, self._left, self._seed
            )
        )
        self.made.equal, self.made.draw = found.equal, found.draw
        if found.draw is not None:
            first = found.hosts[:self._kept]
            found.draw.hosts = [label(host) for host in first]

    def _absences(self) -> list[d.Rejection]:
        by_why: dict[str, dict[str, str]] = {}
        for (host, why), detail in self._absent.items():
            by_why.setdefault(why, {})[host] = detail
        return [
            one for why, details in by_why.items()
            for one in d.rejections(((h, why) for h in details), details)
        ]

    def _taken_out_by_request(self, left: Sequence[Any]) -> None:
        field, text = request_facts.restriction(self._spec)
        self._steps.add(field, 'request', self._left, left, alike(text))
        self._left = left

    def _after(self, name: str) -> list[str]:
        """The enabled filters that come after one."""
        return list(self._enabled[self._enabled.index(name) + 1:])
