"""A decision that is pieced together from a stock scheduler's log.

At INFO the log tells which filters let how many hosts go, in failures. At
DEBUG it also names hosts, and tells of weights, claims and the host that was
selected; but never which hosts a first filter began with.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from nova_ext.core import decision as d

#: Hosts kept of a ranking; the rest is only counted.
RANKED = 10


class LogDecision:
    """One decision in the making.

    :param request_id: the request's.
    :param at: the time of its first line.
    """

    def __init__(self, request_id: str, at: str) -> None:
        self.made = d.Decision(
            at=at, request_id=request_id, by={'rung': 0, 'source': 'log'}
        )
        #: Hosts that the request rules out, of the attempt that begins next.
        self.ignored: list[str] = []
        #: Whether placement left a question without an answer.
        self.unanswered = False
        self._attempt: d.Attempt | None = None
        self._left = 0
        self._reasons: dict[str, str] = {}
        self._reasons_by_step: list[dict[str, str]] = []

    @property
    def empty(self) -> bool:
        """Whether nothing that matters was said yet."""
        made = self.made
        return not (made.servers or made.attempts or made.outcome)

    def begin(self, hosts: int) -> d.Attempt:
        """Begin an attempt with hosts that are left by the request."""
        servers = self.made.servers
        index = len(self.made.attempts)
        if servers:
            # The attempt after the last looks for alternates alone.
            index = min(index, len(servers) - 1)
        self._attempt = d.Attempt(
            servers[index] if servers else '', index,
            hosts + len(self.ignored),
        )
        if self.ignored:
            self._attempt.steps.append(
                _step(
                    'ignore_hosts', 'request', hosts + len(self.ignored),
                    hosts, dict.fromkeys(self.ignored, 'host is to be left'),
                )
            )
        self._left = hosts
        self._reasons = {}
        self._reasons_by_step = []
        self.ignored = []
        self.made.attempts.append(self._attempt)
        return self._attempt

    def rejected(self, host: str, reason: str) -> None:
        """A filter said why it rejects a host; its first word counts."""
        clause = reason.removeprefix('is ').removesuffix(', reason: None')
        self._reasons.setdefault(host, clause.rstrip('.'))

    def filtered(self, name: str, left: int) -> None:
        """A filter left so many hosts."""
        if self._attempt is None:
            return  # at INFO; the summary follows
        self._attempt.steps.append(
            _step(name, 'filter', self._left, left, self._reasons)
        )
        self._reasons_by_step.append(self._reasons)
        self._reasons = {}
        self._left = left

    def removed_all(
        self, server: str, counts: Sequence[tuple[str, int, int]]
    ) -> None:
        """All hosts are gone.

        :param counts: filters with the hosts before and after each.
        """
        if self._attempt is None:
            attempt = self.begin(counts[0][1] if counts else 0)
            for name, before, after in counts:
                self._left = before
                self.filtered(name, after)
        else:
            attempt = self._attempt
        attempt.server = attempt.server or server
        if not self.made.servers:
            self.made.servers = [server]
        self.end(d.NO_VALID_HOST)
        self._attempt = None

    def name_hosts(self, left: Sequence[tuple[str, list[str]]]) -> None:
        """Name the hosts that steps let go.

        :param left: the hosts that each filter left, by name.
        """
        steps = [s for s in self._steps() if s.kind == 'filter']
        if [step.name for step in steps] != [name for name, _ in left]:
            return
        before: list[str] | None = None
        for step, (_, after), reasons in zip(
            steps, left, self._reasons_by_step, strict=False
        ):
            if before is not None:
                gone = {
                    host: reasons.get(host, '')
                    for host in before if host not in set(after)
                }
                if len(gone) == step.hosts_in - step.hosts_out:
                    step.rejections = d.rejections(gone.items())
            before = after

    def ranked(self, hosts: Sequence[str]) -> None:
        """These hosts are left, best first once they are weighed."""
        if not hosts:
            return
        # Forced hosts skip the filters, which begin an attempt otherwise.
        attempt = self._attempt or self.begin(len(hosts))
        attempt.ranked = list(hosts[:RANKED])
        attempt.ranked_count = len(hosts)

    def weighed(self, name: str, weights: Mapping[str, Any]) -> None:
        """A weigher gave these raw weights."""
        if self._attempt is not None:
            self._attempt.weighers.append(
                d.Weighing(name, dict(weights), {})
            )

    def normalised(self, name: str, scaled: Mapping[str, Any]) -> None:
        """The weigher's weights were scaled to these; see _bounds()."""
        weighing = self._weighing(name)
        if weighing is not None:
            weighing.low, weighing.high = _bounds(weighing.weights, scaled)

    def multiplied(self, name: str, scores: Mapping[str, Any]) -> None:
        """The scaled weights were multiplied: ``multiplier * weight``."""
        weighing = self._weighing(name)
        if weighing is None:
            return
        for host, score in scores.items():
            try:
                weighing.multipliers[host] = float(str(score).split(' ')[0])
            except ValueError:
                continue

    def selected(self, host: str) -> None:
        """A server gets a host; claims that came before were refused."""
        attempt, self._attempt = self._attempt, None
        claims = [c for c in self.made.claims if not c.host]
        server = claims[-1].server if claims else (
            attempt.server if attempt else ''
        )
        ranked = attempt.ranked if attempt else []
        in_order = ranked[len(claims) - 1:len(claims)] == [host]
        _name_claims(claims, ranked if in_order else [])
        if claims:
            claims[-1].host, claims[-1].claimed = host, True
        self.made.chosen[server] = [host]
        if not self.made.servers:
            self.made.servers = [server]
        if len(self.made.chosen) >= len(self.made.servers):
            self.end(d.PLACED)

    def end(self, outcome: str, message: str = '') -> None:
        """The decision ended; what is said of it later does not count."""
        if not self.made.outcome:
            self.made.outcome = outcome
            self.made.message = message

    def finish(self) -> d.Decision:
        """The decision, as far as the log tells."""
        ranked = self._attempt.ranked if self._attempt else []
        unnamed = [c for c in self.made.claims if not c.host]
        _name_claims(unnamed, ranked if len(unnamed) == len(ranked) else [])
        return self.made

    def _steps(self) -> list[d.Step]:
        return self._attempt.steps if self._attempt else []

    def _weighing(self, name: str) -> d.Weighing | None:
        weighers = self._attempt.weighers if self._attempt else []
        if weighers and weighers[-1].name == name:
            return weighers[-1]
        return None


def _name_claims(claims: list[d.Claim], hosts: list[str]) -> None:
    """Claims go through the hosts in order, where the order is known."""
    for position, claim in enumerate(claims):
        known = position < len(hosts)
        claim.host = hosts[position] if known else d.UNKNOWN_HOST


def _step(
    name: str, kind: str, before: int, after: int, reasons: dict[str, str]
) -> d.Step:
    """A step; reasons of more hosts than it let go are not its own."""
    fitting = reasons if len(reasons) <= before - after else {}
    return d.Step(
        name, kind, before, after, d.rejections(fitting.items())
    )


def _bounds(
    raw: Mapping[str, float], scaled: Mapping[str, float]
) -> tuple[float | None, float | None]:
    """The raw weights that became 0 and 1, worked out from both lists.

    Nova does not log a weigher's own bounds, which replace the least and
    the greatest weight of the list.
    """
    pairs = sorted({(raw[h], scaled[h]) for h in raw if h in scaled})
    if not pairs:
        return None, None
    (low, low_scaled), (high, high_scaled) = pairs[0], pairs[-1]
    if high_scaled != low_scaled:
        span = (high - low) / (high_scaled - low_scaled)
        return low - low_scaled * span, low + (1 - low_scaled) * span
    if not low_scaled:
        return low, low
    # All weights are the same and did not become 0: any fitting span will do.
    return low - low_scaled, low - low_scaled + 1
