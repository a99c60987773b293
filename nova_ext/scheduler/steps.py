"""The steps of one attempt, kept raw until there is time for them.

While Nova filters, a request waits; so only lists are kept then. Which hosts
are meant, and why they went, is put into words in the record's own thread.
"""

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import Any

from nova_ext.core import decision as d
from nova_ext.scheduler.explainers.reason import NONE, Look, Tell, unknown
from nova_ext.scheduler.pauses import paused


class Steps:
    """Takes steps, and tells of the hosts that each let go.

    :ivar made: the steps, without their rejections until they are told.
    """

    def __init__(self) -> None:
        self.made: list[d.Step] = []
        self._gone: list[tuple[Sequence[Any], Tell]] = []

    def add(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], look: Look,
    ) -> None:
        """Add one; see :meth:`nova_ext.scheduler.trace.Trace.step`."""
        gone: list[Any] = []
        if len(after) < len(before):  # most steps let no host go
            kept = {id(host) for host in after}
            gone = [host for host in before if id(host) not in kept]
        self.made.append(d.Step(name, kind, len(before), len(after)))
        # A look that fails leaves its step without reasons.
        self._gone.append((gone, unknown(gone)))
        if gone:
            self._gone[-1] = (gone, look(gone))

    def tell(self, label: Callable[[Any], str]) -> None:
        """Add the rejections to the steps.

        :param label: names a host state.
        """
        for step, (hosts, told) in zip(self.made, self._gone, strict=True):
            reasons: list[tuple[str, str]] = []
            details: dict[str, str] = {}
            for host, reason in zip(
                paused(hosts), chain(told(), repeat(NONE)), strict=False
            ):
                name = label(host)
                reasons.append((name, reason.text))
                details[name] = reason.detail
            step.rejections = d.rejections(reasons, details)
