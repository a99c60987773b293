"""Hold what a decision of a rolling replay begins with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.decision.fallback import Fallback
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.mirror.snapshot import Snapshot

_NOTHING = Held({}, frozenset())


@dataclass(frozen=True)
class Opening:
    """Hold the cloud, and what else is known of a decision.

    :param snapshot: what the engine decides from; None: there is none.
    :param instance_info: servers of hosts, as Nova's host manager keeps them.
    :param held: claims that the snapshot does not show.
    :param off: why Nova's code decides; None: the engine does.
    :param hosts: host states of Nova's code; None: those that the snapshot
        has of the candidates.
    :param answer: placement's candidates; None: the snapshot tells them.
    :param refused: claims that are refused: server and provider.
    :param seeds: of the draws for each server, by its number.
    """

    snapshot: Snapshot | None
    instance_info: dict[str, dict[str, Any]]
    held: Held = _NOTHING
    off: Fallback | None = None
    hosts: Sequence[Any] | None = None
    answer: Mapping[str, Any] | None = None
    refused: frozenset[tuple[str, str]] = frozenset()
    seeds: Mapping[int, Sequence[int]] = field(default_factory=dict)
