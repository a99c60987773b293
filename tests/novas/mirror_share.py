"""Count which decisions of a run the mirror made, and why not the others."""

import json
from collections import Counter

from nova_ext.core.decision.fallback import Fallback

#: Of the boots, so many percent are decided by the mirror at least.
LEAST_PERCENT = 60
#: Nova's tests have reason for these fallbacks. Those that are absent here,
#: such as ``not_loaded``, ``too_old`` or any error, fail the run.
EXPECTED = frozenset((
    Fallback.NUMA_TOPOLOGY, Fallback.PCI_DEVICES, Fallback.PREFILTER,
    Fallback.NO_SERVERS, Fallback.CLAIMS_REFUSED, Fallback.FORCED_HOST,
    Fallback.MANY_HOSTS, Fallback.NO_HOST, Fallback.PINNED_CPUS,
    Fallback.REBUILD, Fallback.REQUESTED_RESOURCES, Fallback.SHARED_PROVIDERS,
    Fallback.PROVIDER_TREES, Fallback.QUERY, Fallback.NO_RESOURCES,
))
_BOOT = 'first boot'


def report(lines, expected=EXPECTED):
    """Print the shares; return what is wrong, empty if nothing is.

    :param lines: of the record, JSON.
    :param expected: reasons for which the mirror may leave a request to Nova.
    """
    decided, reasons = Counter(), Counter()
    for line in lines:
        decision = json.loads(line)
        if 'operation' not in decision:  # a line about others
            continue
        kind = 'boots' if decision['operation'] == _BOOT else 'other requests'
        check = decision.get('mirror') or {}
        reason = check.get('fallback', '')
        if not reason and not check.get('decides'):
            reason = 'no word of the mirror'
        decided[kind, not reason] += 1
        if reason:
            reasons[reason] += 1
    problems = []
    for kind in ('boots', 'other requests'):
        count = decided[kind, True] + decided[kind, False]
        percent = 100 * decided[kind, True] / max(count, 1)
        print(f'The mirror decided {decided[kind, True]} of {count} {kind}, '
              f'{percent:.0f} %')
        if kind == 'boots' and percent < LEAST_PERCENT:
            problems.append(f'fewer than {LEAST_PERCENT} % of boots')
    for reason, count in reasons.most_common():
        is_expected = reason in expected
        print(f'{count:6} left to Nova: {reason}'
              + ', which is not expected' * (not is_expected))
        if not is_expected:
            problems.append(f'an unexpected fallback: {reason}')
    return '; '.join(problems)
