"""Start all of Nova's services in this process."""

from typing import Any

from nova import objects
from nova.conf import CONF
from nova.scheduler import rpcapi as scheduler_rpcapi

from nova_ext.lab.configuration import nova_config
from nova_ext.lab.nova import (
    computes,
    memory_bus,
    nova_api,
    pending_work,
)
from nova_ext.lab.process.process import Arguments, Stop
from nova_ext.lab.process.web import Web
from nova_ext.lab.state.lab_state import State

_API_THREADS = 16
_MANAGER = 'nova_ext.scheduler.manager.SchedulerManager'
_POOL = 'executor_thread_pool_size'


def start(args: Arguments, state: State) -> Stop:
    """Start the API, conductor, scheduler and computes, in this order."""
    memory_bus.return_undeliverable()
    api = nova_api.load(args.lab, state, args.reporter)
    computes.prepare(args.lab, state.hosts)
    objects.Service.enable_min_version_cache()
    args.reporter.report('starting conductor and scheduler')
    services = [
        computes.start_service('nova-conductor', 'conductor'),
        _start_scheduler(state),
    ]
    assert args.listener is not None  # noqa: S101  it has a port
    web = Web(api, args.listener, _API_THREADS)
    web.start()
    services += computes.start(state.hosts, args.reporter)

    def stop(deadline: float) -> None:
        # Periodic tasks run on; the next start repeats them.
        web.stop(deadline)
        pending_work.wait(
            [service.manager for service in services], deadline, servers=True
        )

    return stop


def _start_scheduler(state: State) -> Any:
    # The conductor's server has registered the option.
    CONF.set_override(_POOL, nova_config.thread_pool_size(state))
    try:
        return computes.start_service(
            'nova-scheduler', scheduler_rpcapi.RPC_TOPIC,
            manager=None if state.stock else _MANAGER,
        )
    finally:
        CONF.clear_override(_POOL)
