"""ComputeCapabilitiesFilter: which key, what was wanted, what was found."""

from typing import Any

from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.reason import Explain, Reason


def _capabilities(filter_: Any, spec: Any) -> Explain:
    return partial_requests.blame(
        filter_, partial_requests.extra_specs(spec), lambda host, part: Reason(
            f'{part.name} must be {part.value}',
            _found(filter_, host, part.name),
        ),
    )


def _found(filter_: Any, host: Any, name: str) -> str:
    scope = name.split(':')
    if scope[0] == 'capabilities':
        del scope[0]
    elif len(scope) > 1:
        return ''  # Nova looks for it under another name
    found = filter_._get_capabilities(host, scope)
    return 'and is not reported' if found is None else f'and is {found}'


EXPLAINERS = {'ComputeCapabilitiesFilter': _capabilities}
