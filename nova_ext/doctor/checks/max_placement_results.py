"""Check that a request can see all hosts that placement can offer."""

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.doctor.check import DoctorFinding, NotRunError, Results
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import COMPUTE

#: Nova's default of [scheduler] max_placement_results.
DEFAULT = 1000


def check(facts: CloudFacts) -> Results:
    """Compare max_placement_results with what placement can offer."""
    configured = facts.configuration.value(
        'scheduler', 'max_placement_results'
    )
    if not facts.configuration.files:
        yield Unchecked(
            f'max_placement_results was taken to be {DEFAULT}, Nova\'s '
            f'default', 'nova-scheduler\'s nova.conf: --config-file',
        )
    limit = _number(configured)
    offered = facts.providers.keys() - facts.withheld
    if limit >= len(offered):
        return
    yield DoctorFinding(
        'limit-below-hosts', Severity.WARNING,
        f'a request sees at most {limit} of the {len(offered)} computes that '
        f'placement can offer',
        'Placement picks them before any filter or weigher of Nova runs. So '
        'servers fill some hosts first, and a request can fail although a '
        'suitable host is free.',
        f'Raise [scheduler] max_placement_results above {len(offered)}, '
        f'which costs time and memory for each request. Or set [placement] '
        f'randomize_allocation_candidates in placement.conf.',
    )
    unusable = {
        service.host for service in facts.services
        if service.binary == COMPUTE
        and (service.status != 'enabled' or service.state != 'up')
    }
    wasted = [
        node for node in facts.hypervisors
        if node.id in offered and node.host in unusable
    ]
    if wasted:
        full = len(wasted) >= limit
        yield DoctorFinding(
            'limit-filled', Severity.ERROR if full else Severity.WARNING,
            f'computes that are down or disabled can take '
            f'{min(len(wasted), limit)} of the {limit} places that a request '
            f'has for hosts',
            'Placement offers them, within its limit, instead of hosts that '
            'could take the server.',
            'See the findings compute-down and disabled-but-offered.',
        )


def _number(text: str | None) -> int:
    if text is None:
        return DEFAULT
    try:
        return int(text)
    except ValueError:
        raise NotRunError(
            f'[scheduler] max_placement_results = {text} is no number',
            'a number there',
        ) from None
