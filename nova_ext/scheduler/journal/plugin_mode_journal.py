"""Begin the journal of a request in a stock nova-scheduler.

There Nova hands a request to filters and weighers, and to nobody else. What
it did before the first filter is not seen.
"""

from collections.abc import Mapping
from typing import Any

from nova.scheduler import weights

from nova_ext.core.base.mode import Mode
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.journal.journaled_request import JournaledRequest
from nova_ext.scheduler.trace.trace import Trace


@best_effort
def begin(
    caller: Any, trace: Trace, classes: Mapping[str, Any]
) -> JournaledRequest:
    """Return what keeps the facts of a request.

    :param caller: the request's context.
    :param trace: just opened.
    :param classes: traced classes that have instances, by name.
    """
    journaled = JournaledRequest(Mode.PLUGIN, caller, trace.spec, {})
    journaled.set_plugins(
        [classes[name] for name in trace.enabled if name in classes],
        [
            cls for cls in list(classes.values())
            if issubclass(cls, weights.BaseHostWeigher)
        ],
    )
    journaled.lack(*(
        f'what {name} rejects: it is not traced' for name in trace.unseen
    ))
    if not trace.from_first:
        journaled.lack('what the first filter got')
    return journaled
