"""Say how many more servers fit."""

from collections.abc import Mapping
from typing import Any

from nova_ext.core.explanation.text_format import pluralize


def summarize(capacity: Mapping[str, Any]) -> str:
    """Return how many fit, and what runs out first, in one line."""
    if capacity.get('unknown'):
        return 'how many more fit is not known'
    least, most = capacity['total']['least'], capacity['total']['most']
    number = str(most) if least == most else f'{least} to {most}'
    if capacity['bounded']:
        number = f'at least {number}'
    first = [
        f'{reason} on {pluralize(count, "host")}'
        for reason, count in capacity['full'].items()
    ]
    return f'{number} more fit' + (
        f'; first runs out {", ".join(first)}' if first else ''
    )
