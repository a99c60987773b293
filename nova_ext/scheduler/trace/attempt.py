"""Follow one attempt: filters, weighers and driver, for one server.

While Nova filters and weighs, a request waits. So only lists are kept then.
The record's own thread finds out which hosts were rejected, and why.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from nova_ext.core.decision import decision as decisions
from nova_ext.core.stats.stats import Stat
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.host_states import (
    HostKey,
    host_key,
    host_keys,
    iterate_with_pauses,
    name_host,
)
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.explainers.reason import (
    NO_REASON,
    LazyReasons,
    Reason,
    StepExplainer,
    give_no_reasons,
)
from nova_ext.scheduler.trace import request_facts
from nova_ext.scheduler.trace.weighings import Weighings

#: Hosts listed of a ranking, or of a draw. The rest is only counted.
RANKED = 10


class AttemptTrace:
    """Follow one attempt.

    :param index: 0 for the first server of the request.
    :param hosts: what Nova begins with.
    :param lap: ends a stage of the request.
    :param enabled: names of the enabled filters, in order.
    :param ranked_hosts: how many hosts of a ranking are listed.
    :param unseen: names of enabled filters that are not traced.
    :param added: as the attribute; that of the attempt before.
    :ivar added: hosts that filters returned without having been given them;
        None where no filter returned such a host, or one twice.
    :ivar attempt: the attempt in the decision.
    :ivar reasons: why a plugin rejects hosts, until its step is added.
    :ivar weighings: has the raw weights.
    :ivar seed: of the draw; None: unknown.
    """

    def __init__(
        self, spec: Any, index: int, hosts: Sequence[Any],
        lap: Callable[[str], None], enabled: Sequence[str] = (),
        ranked_hosts: int = RANKED, unseen: Sequence[str] = (),
        added: set[HostKey] | None = None,
    ) -> None:
        server = spec.instance_uuid if 'instance_uuid' in spec else ''
        self.added = added
        self.attempt = decisions.Attempt(
            server or '', index, len(self._keep_given(hosts))
        )
        self.reasons: dict[HostKey, Reason] = {}
        self.weighings = Weighings()
        self._spec = spec
        self._lap = lap
        self._enabled = enabled
        self._ranked_hosts = ranked_hosts
        self._unseen = unseen
        #: The rejected hosts of each step, and what explains them.
        self._rejected: list[tuple[Sequence[Any], LazyReasons]] = []
        self._remaining = hosts
        self._ranking: Sequence[Any] | None = None
        self.seed: int | None = None
        self._by_driver = False
        #: Hosts whose weights are recorded in any case.
        self._notable: list[Any] = []
        self._absent: dict[tuple[HostKey, str], str] = {}

    @best_effort
    def add_step(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], explain: StepExplainer,
        rejected: Sequence[Any] | None = None,
        reasons_for: str = decisions.Audience.OPERATORS,
        is_subset: bool = True,
    ) -> None:
        """Add a step that rejected some hosts.

        Hosts that are missing between the last step and this one were taken
        out for the request itself. Nova calls no filter for that.

        :param explain: gives the reasons, unless the plugin gave its own.
        :param rejected: those that are not left; None: they are looked for.
        :param reasons_for: who reads the reasons, beside operators.
        :param is_subset: whether what is left can only be hosts from before,
            each once.
        """
        irregular = ([], []) if is_subset else self._find_irregular(
            before, after
        )
        if own := self.reasons:
            self.reasons = {}

            def explain(rejected: Sequence[Any]) -> LazyReasons:
                return lambda: (
                    own.get(host_key(host), NO_REASON) for host in rejected
                )

        self._add_restriction(before)
        self._add(name, kind, before, after, explain, rejected)
        step = self.attempt.steps[-1]
        step.reasons_for = str(reasons_for)
        step.added, step.repeated = irregular
        self._lap('filters' if kind == 'filter' else kind)

    @best_effort
    def lap(self, stage: str) -> None:
        """End a stage that began where the last one ended."""
        self._lap(stage)

    @best_effort
    def add_weights(
        self, weigher: Any, weighed: Sequence[Any], weights: Sequence[float]
    ) -> None:
        """Add a weigher's raw weights, one a host.

        :param weighed: Nova's weighed hosts, the same ones for each weigher.
        """
        self.weighings.add(weigher, weighed, weights)
        self._lap('weighers')

    @best_effort
    def add_absent_stat(self, host: Any, stat: Stat) -> None:
        """Add a stat that a plugin asked for and did not get."""
        self._absent[host_key(host), stat.reason] = stat.detail

    @best_effort
    def end_weighing(
        self, hosts: Sequence[Any], seed: int | None,
        weighings: Weighings | None = None,
    ) -> None:
        """Take Nova's ranking, and the final weights.

        :param hosts: as Nova returns them; the driver has yet to rank them.
        :param seed: Nova's seed; None where it drew with the generator of
            the process.
        :param weighings: has the weights of a ranking that nobody changes
            any more; None: they were added.
        """
        if weighings is None:
            self.weighings.close()
            # Nova takes the first host out of its own list.
            self._ranking = list(hosts)
        else:
            self.weighings, self._ranking = weighings, hosts
        self.seed = seed
        self._lap('weighers')

    @best_effort
    def set_driver_seed(self, seed: int) -> None:
        """Set the seed of the driver's order."""
        self.seed, self._by_driver = seed, True

    @best_effort
    def end(self, hosts: Sequence[Any]) -> None:
        """End with the hosts that may be used, best first."""
        self._end(hosts, hosts[:self._ranked_hosts])
        self._lap('driver')

    @best_effort
    def end_unranked(self, hosts: Sequence[Any]) -> None:
        """End with the hosts that may be used, where Nova's order is not seen.

        They are listed by weight.
        """
        self.weighings.close()
        heaviest = self.weighings.list_heaviest(self._ranked_hosts)
        self._end(hosts, heaviest or hosts[:self._ranked_hosts])

    def _end(self, hosts: Sequence[Any], first: Sequence[Any]) -> None:
        self._add_restriction(hosts)
        last = self.attempt.steps[-1] if self.attempt.steps else None
        if last and last.name in self._enabled and not hosts:
            place = self._enabled.index(last.name)
            self.attempt.unasked = list(self._enabled[place + 1:])
        self.attempt.ranked = list(map(name_host, self._keep_given(first)))
        self.attempt.ranked_count = len(self._keep_given(hosts))
        self._remaining = hosts
        self._notable += first

    def claim_host(self, providers: Mapping[str, Any]) -> str:
        """Return the name of the host that is to be claimed.

        :param providers: the claim by UUIDs of placement's providers; one
            of them is the host's own.
        """
        for host in self._remaining:
            if host.uuid in providers:
                return self.add_notable(host)
        return decisions.UNKNOWN_HOST

    def add_notable(self, host: Any) -> str:
        """Have a host's weights recorded in any case; return its name."""
        self._notable.append(host)
        return name_host(host)

    def finish(self, *, every_host: bool) -> None:
        """Explain the steps and the ranking; nobody waits any more.

        :param every_host: add the weights of every host, and not only of
            the first ones.
        """
        self._explain_rejections()
        if self._absent:
            from nova_ext.scheduler.trace import absent_stats

            self.attempt.absent_stats = absent_stats.group(self._absent)
        self.attempt.weighers = self.weighings.summarize(
            None if every_host else self._notable
        )
        if self._ranking is not None:
            pause()
            self._explain_draw(self._ranking)

    def _add_restriction(self, remaining: Sequence[Any]) -> None:
        """Add what took hosts out between two traced steps.

        That is a filter that is not traced, or else the request itself.
        """
        if len(remaining) >= len(self._remaining):
            return
        if self._unseen:
            name, kind = ' or '.join(self._unseen), 'filter'
            explain = give_no_reasons
        else:
            name, describe = request_facts.describe_restriction(self._spec)
            kind = 'request' if name else 'unknown'

            def explain(rejected: Sequence[Any]) -> LazyReasons:
                return lambda: (Reason(describe(host)) for host in rejected)

        self._add(name, kind, self._remaining, remaining, explain)

    def _add(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], explain: StepExplainer,
        rejected: Sequence[Any] | None = None,
    ) -> None:
        self._remaining = after
        before, after = self._keep_given(before), self._keep_given(after)
        if rejected is None:
            rejected = _list_rejected(before, after)
        self.attempt.steps.append(
            decisions.Step(name, kind, len(before), len(after))
        )
        # If it fails, the step has no reasons.
        self._rejected.append((rejected, tuple))
        if rejected:
            self._rejected[-1] = (rejected, explain(rejected))

    def _find_irregular(
        self, before: Sequence[Any], after: Sequence[Any]
    ) -> tuple[list[str], list[str]]:
        """Name hosts that a filter added, and those it returned repeatedly."""
        counts = Counter(map(host_key, after))
        added = counts.keys() - host_keys(before)
        repeated = [key for key, count in counts.items() if count > 1]
        if added or repeated:
            self.added = (self.added or set()) | added
        return (
            [decisions.name_host(*key) for key in sorted(added)],
            [decisions.name_host(*key) for key in repeated],
        )

    def _keep_given(self, hosts: Sequence[Any]) -> Sequence[Any]:
        """Return each host once, without those that filters added."""
        if self.added is None:
            return hosts
        by_key = {host_key(host): host for host in hosts}
        return [host for key, host in by_key.items() if key not in self.added]

    def _explain_rejections(self) -> None:
        for step, (hosts, explain) in zip(
            self.attempt.steps, self._rejected, strict=True
        ):
            reasons: list[tuple[str, str]] = []
            details: dict[str, str] = {}
            for host, reason in zip(
                iterate_with_pauses(hosts),
                chain(explain(), repeat(NO_REASON)), strict=False,
            ):
                name = name_host(host)
                reasons.append((name, reason.text))
                details[name] = reason.detail
            step.rejections = decisions.group_rejections(reasons, details)

    def _explain_draw(self, ranking: Sequence[Any]) -> None:
        # A stock nova-scheduler shows no ranking.
        from nova_ext.scheduler.trace import tie_break

        if self._by_driver:
            tie = tie_break.find_driver_draw(self._remaining, self.seed)
        else:
            tie = tie_break.find_nova_draw(
                self.weighings, ranking, self._remaining, self.seed
            )
        self.attempt.equal, self.attempt.draw = tie.equal, tie.draw
        if tie.draw is not None:
            first = tie.hosts[:self._ranked_hosts]
            tie.draw.hosts = [name_host(host) for host in first]


def _list_rejected(
    before: Sequence[Any], after: Sequence[Any]
) -> Sequence[Any]:
    if not after:
        return list(before)
    if len(after) == len(before):  # most steps reject no host
        return ()
    passed = host_keys(after)
    return [host for host in before if host_key(host) not in passed]
