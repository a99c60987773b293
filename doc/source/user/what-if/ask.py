"""Ask where a server would go, and how many of them fit."""

import sys

from oslo_config import cfg
from oslo_context import context

from nova_ext.client import BootFlavor, BootRequest, SchedulerClient
from nova_ext.core.explanation import counterfactual
from nova_ext.core.explanation.explain import explain


def ask(scheduler, me):
    """Ask about a small flavor, and about one that is too large."""
    small = BootRequest(BootFlavor(vcpus=1, memory_mb=512, root_gb=1))
    large = BootRequest(BootFlavor(vcpus=1, memory_mb=65536, root_gb=1))
    before = scheduler.simulate(me, large)
    after = scheduler.simulate(me, small)
    print(explain(after).sentence)
    print(counterfactual.compare(before, after))
    room = scheduler.capacity(me, small)
    print(room.total.most, 'more fit; first runs out', *room.full)


if __name__ == '__main__':
    cfg.CONF(['--config-file', sys.argv[1]], project='nova')
    with SchedulerClient(timeout_s=60) as nova_ext_scheduler:
        ask(nova_ext_scheduler, context.RequestContext(
            user_id='me', project_id='mine', roles=['member']
        ))
