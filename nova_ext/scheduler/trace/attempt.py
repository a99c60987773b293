"""Follow one attempt: filters, weighers and driver, for one server.

While Nova filters and weighs, a request waits; so only lists are kept then.
Which hosts are meant, and why they went, is put into words in the record's
own thread.
"""

from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from nova_ext.core.decision import decision as d
from nova_ext.core.stats.stats import Stat
from nova_ext.scheduler.base.best_effort import harmless
from nova_ext.scheduler.base.host_identity import (
    HostKey,
    host_key,
    host_keys,
    label,
)
from nova_ext.scheduler.base.pauses import paused
from nova_ext.scheduler.explainers.reason import (
    NONE,
    Look,
    Reason,
    Tell,
    alike,
    unknown,
)
from nova_ext.scheduler.trace import request_facts, tie_break
from nova_ext.scheduler.trace.stages import Stages
from nova_ext.scheduler.trace.weighings import Weighings

#: Hosts kept of a ranking, or of a draw; the rest is only counted.
RANKED = 10


class AttemptTrace:
    """Follow one attempt.

    :param spec: the request spec.
    :param index: 0 for the first server of the request.
    :param hosts: what Nova begins with.
    :param stages: the request's stop watch.
    :param enabled: names of the enabled filters, in order.
    :param ranked_hosts: hosts kept of a ranking.
    :ivar attempt: what is known so far.
    :ivar reasons: why plugins reject hosts, until their step is added.
    :ivar weighings: takes what the weighers say.
    """

    def __init__(
        self, spec: Any, index: int, hosts: Sequence[Any], stages: Stages,
        enabled: Sequence[str] = (), ranked_hosts: int = RANKED,
    ) -> None:
        server = spec.instance_uuid if 'instance_uuid' in spec else ''
        self.attempt = d.Attempt(server or '', index, len(hosts))
        self.reasons: dict[HostKey, Reason] = {}
        self.weighings = Weighings()
        self._spec = spec
        self._stages = stages
        self._enabled = enabled
        self._ranked_hosts = ranked_hosts
        #: Of each step, who went and what explains it.
        self._rejected: list[tuple[Sequence[Any], Tell]] = []
        self._left = hosts
        self._ranking: Sequence[Any] | None = None
        self._seed: int | None = None
        self._by_driver = False
        #: Hosts whose weights are recorded in any case.
        self._notable: list[Any] = []
        self._absent: dict[tuple[HostKey, str], str] = {}

    @harmless
    def add_step(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], look: Look,
    ) -> None:
        """Add a step that let some hosts go.

        Hosts that are missing between the last step and this one were
        taken out by the request itself, which Nova does unseen.

        :param look: explains why hosts went, where they have no reasons of
            their own.
        """
        if own := self.reasons:
            self.reasons = {}

            def look(rejected: Sequence[Any]) -> Tell:
                return lambda: (
                    own.get(host_key(host), NONE) for host in rejected
                )

        self._add_restriction(before)
        self._add(name, kind, before, after, look)
        self._stages.lap('filters' if kind == 'filter' else kind)

    @harmless
    def add_absent_stat(self, host: Any, stat: Stat) -> None:
        """Add a stat that an extension asked for and did not get."""
        self._absent[host_key(host), stat.why] = stat.detail

    @harmless
    def end_weighing(self, hosts: Sequence[Any], seed: int | None) -> None:
        """Take what Nova made of the weights; it chooses no more.

        :param hosts: as Nova returns them; the driver has yet to rank them.
        :param seed: what Nova's method was given to draw by; None where it
            had the generator of the process.
        """
        self.weighings.close()
        self._ranking = list(hosts)
        self._seed = seed
        self._stages.lap('weighers')

    @harmless
    def set_driver_seed(self, seed: int) -> None:
        """Set what the driver drew its order by."""
        self._seed, self._by_driver = seed, True

    @harmless
    def end(self, hosts: Sequence[Any]) -> None:
        """End with the hosts that may be used, best first."""
        self._add_restriction(hosts)
        last = self.attempt.steps[-1] if self.attempt.steps else None
        if last and last.kind == 'filter' and not hosts:
            place = self._enabled.index(last.name)
            self.attempt.unasked = list(self._enabled[place + 1:])
        first = list(hosts[:self._ranked_hosts])
        self.attempt.ranked = [label(host) for host in first]
        self.attempt.ranked_count = len(hosts)
        self._left = hosts
        self._notable += first
        # A stock scheduler does not say when it has weighed.
        self._stages.lap('weighers' if self._ranking is None else 'driver')

    def claim_host(self, providers: Mapping[str, Any]) -> str:
        """Return the name of the host that is to be claimed.

        :param providers: what is claimed, by the UUIDs of placement's
            providers; one of them is the host's own.
        """
        for host in self._left:
            if host.uuid in providers:
                self._notable.append(host)
                return label(host)
        return d.UNKNOWN_HOST

    def finish(self, *, every_host: bool) -> None:
        """Explain the steps and the ranking; nobody waits any more.

        :param every_host: add what the weighers said of every host, and not
            only of the first ones.
        """
        self._explain_rejections()
        self._list_absent_stats()
        self.attempt.weighers = self.weighings.summarize(
            None if every_host else self._notable
        )
        if self._ranking is not None:
            self._explain_draw(self._ranking)

    def _add_restriction(self, left: Sequence[Any]) -> None:
        """Add the step of the request itself, if hosts are missing."""
        if len(left) < len(self._left):
            field, text = request_facts.restriction(self._spec)
            self._add(field, 'request', self._left, left, alike(text))

    def _add(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], look: Look,
    ) -> None:
        rejected: Sequence[Any] = ()
        if not after:
            rejected = list(before)
        elif len(after) < len(before):  # most steps let no host go
            kept = host_keys(after)
            rejected = [host for host in before if host_key(host) not in kept]
        self._left = after
        self.attempt.steps.append(
            d.Step(name, kind, len(before), len(after))
        )
        # A look that fails leaves its step without reasons.
        self._rejected.append((rejected, unknown(rejected)))
        if rejected:
            self._rejected[-1] = (rejected, look(rejected))

    def _explain_rejections(self) -> None:
        for step, (hosts, explain) in zip(
            self.attempt.steps, self._rejected, strict=True
        ):
            reasons: list[tuple[str, str]] = []
            details: dict[str, str] = {}
            for host, reason in zip(
                paused(hosts), chain(explain(), repeat(NONE)), strict=False
            ):
                name = label(host)
                reasons.append((name, reason.text))
                details[name] = reason.detail
            step.rejections = d.rejections(reasons, details)

    def _list_absent_stats(self) -> None:
        by_why: dict[str, dict[str, str]] = {}
        for (key, why), detail in self._absent.items():
            by_why.setdefault(why, {})[d.label(*key)] = detail
        self.attempt.absent_stats = [
            one for why, details in by_why.items()
            for one in d.rejections(((h, why) for h in details), details)
        ]

    def _explain_draw(self, ranking: Sequence[Any]) -> None:
        if self._by_driver:
            tie = tie_break.find_driver_draw(self._left, self._seed)
        else:
            tie = tie_break.find_nova_draw(
                self.weighings, ranking, self._left, self._seed
            )
        self.attempt.equal, self.attempt.draw = tie.equal, tie.draw
        if tie.draw is not None:
            first = tie.hosts[:self._ranked_hosts]
            tie.draw.hosts = [label(host) for host in first]
