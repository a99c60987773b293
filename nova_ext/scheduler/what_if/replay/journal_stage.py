"""Set the stage for a decision as it stood: hosts, candidates and draws."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from nova_ext.journal.model import JournalDecision
from nova_ext.journal.replayed import HostKey
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.what_if.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.what_if.replay.gaps import Gaps
from nova_ext.scheduler.what_if.replay.host_states import HostStates
from nova_ext.scheduler.what_if.replay.journal_claims import JournalClaims
from nova_ext.scheduler.what_if.replay.journal_source import JournalSource


class Stage(Protocol):
    """Set the stage for decisions that are made again.

    :ivar claims: claims as Nova's placement client.
    """

    claims: Any

    @property
    def source(self) -> NovaSource:
        """Return where hosts, candidates and draws come from."""
        ...

    @property
    def equal(self) -> Mapping[int, Sequence[HostKey]]:
        """Return the hosts that could as well have been drawn, by server."""
        ...

    def open(self, decision: JournalDecision, spec: Any) -> None:
        """Begin to decide a decision again.

        :param spec: its request spec, which may be changed.
        """
        ...

    def close(self, decision: JournalDecision, selected: Any) -> None:
        """End a decision.

        :param selected: Nova's Selections of each server.
        """
        ...

    def fail(self, decision: JournalDecision) -> None:
        """End a decision that places nothing."""
        ...


class JournalStage:
    """Set the stage as it was: no decision changes the next one.

    :param gaps: takes what is unknown.
    :param host_manager: gets the hosts.
    :param changes: of aggregates.
    """

    def __init__(
        self, gaps: Gaps, host_manager: Any,
        changes: Sequence[AggregateChange],
    ) -> None:
        self._host_manager = host_manager
        self._states = HostStates(gaps, changes)
        self.source = JournalSource()
        self.claims: Any = JournalClaims(gaps)

    @property
    def equal(self) -> Mapping[int, Sequence[HostKey]]:
        """Return the hosts that could as well have been drawn, by server."""
        return self.source.equal

    def open(self, decision: JournalDecision, spec: Any) -> None:
        """Begin to decide a decision again."""
        self.source.open(decision)
        states = list(self._states.make(decision.hosts))
        self.claims.open(decision, states)
        self._host_manager.hosts = states

    def close(self, decision: JournalDecision, selected: Any) -> None:
        """Do nothing: the next decision begins with its own hosts."""

    def fail(self, decision: JournalDecision) -> None:
        """Do nothing, as well."""
