"""What Nova's prefilters asked for, beside what they ask for every request."""

from collections.abc import Iterator

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_query

#: How the fields of a decision's prefilters are written in a query. A log
#: has names of prefilters in their place, with Nova's own words.
_WRITTEN = {
    'required_traits': ('required', ''),
    'forbidden_traits': ('required', '!'),
    'aggregates': ('member_of', ''),
    'forbidden_aggregates': ('member_of', '!'),
}
#: Nova adds these to every request.
_ALWAYS = ('COMPUTE_STATUS_DISABLED', 'OWNER_NOVA')


def told(decision: d.Decision) -> list[str]:
    """One sentence; none where there is nothing to tell."""
    added = ', '.join(_added(decision.prefilters or {}))
    return [f'prefilters added {added}'] if added else []


def _added(prefilters: dict[str, list[str]]) -> Iterator[str]:
    for name, items in prefilters.items():
        kind, sign = _WRITTEN.get(name, ('', ''))
        for item in items:
            if any(trait in item for trait in _ALWAYS):
                continue
            yield (
                placement_query.words(kind, sign + item) if kind
                else f'{item} ({name})'
            )
