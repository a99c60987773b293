"""Read what placement answered to a request for candidates."""

import hashlib
import re
from collections.abc import Iterable

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import PASSED, PLACED, Decision, Placement

_LIMIT = re.compile(r'(?:^|&)limit=(\d+)')


def digest_roots(roots: Iterable[str]) -> str:
    """Return a digest of root providers."""
    text = ','.join(sorted(roots))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def drop_limit(query: str) -> str:
    """Return a query without a limit of its answers."""
    return '&'.join(
        part for part in query.split('&') if not part.startswith('limit=')
    )


def get_reached_limit(placement: Placement | None) -> int:
    """Return the limit that placement's answer reached; 0: none."""
    limit = _LIMIT.search(placement.query) if placement else None
    if placement is None or limit is None:
        return 0
    # Each of two answers has the limit to itself.
    second = placement.vcpu_requests or 0
    offered = max(placement.requests - second, second) or placement.candidates
    return int(limit[1]) if offered >= int(limit[1]) else 0


def needs_diagnosis(decision: Decision) -> bool:
    """Say whether to ask placement about a decision, unasked.

    True of a failure where placement left hosts out.
    """
    return decision.outcome not in (PLACED, PASSED) and (
        can_diagnose(decision)
    )


def can_diagnose(decision: Decision) -> bool:
    """Say whether placement can be asked what hosts lack that it left out.

    Of two queries, for pinned processors, both must be known.
    """
    placement = decision.placement
    left_out = [decision.absent, *decision.kept_out]
    return (
        placement is not None and placement.answered
        and placement.offered != ''
        and (placement.vcpu_requests is None or len(placement.queries) > 1)
        and decision.by.get('mode') == Mode.SCHEDULER
        and any(group is not None and group.count > 0 for group in left_out)
    )
