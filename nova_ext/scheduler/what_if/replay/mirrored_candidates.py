"""Offer what the mirror offered: it decides, and nobody asks placement."""

from collections.abc import Mapping
from typing import Any

from nova_ext.journal.model import JournalDecision

#: Stands for all that one server of the request needs.
_SERVER = 'SERVER'


def list_candidates(decision: JournalDecision) -> Mapping[str, Any] | None:
    """Return placement's answer, or one that stands for it.

    In that, a host has room for a number of servers. Where the journal does
    not have it, there are no summaries.

    :returns: None where nobody claims, as for a rebuild.
    """
    if decision.candidates is not None or not decision.mirrored:
        return decision.candidates
    uuids = [host.uuid for host in decision.hosts]
    return {
        'queries': (), 'version': None,
        'allocation_requests': [{
            'allocations': {uuid: {'resources': {_SERVER: 1}}},
            'mappings': {'': [uuid]},
        } for uuid in uuids],
        'provider_summaries': {} if decision.room is None else {
            uuid: {'resources': {_SERVER: {'capacity': room, 'used': 0}}}
            for uuid, room in zip(uuids, decision.room, strict=True)
        },
    }
