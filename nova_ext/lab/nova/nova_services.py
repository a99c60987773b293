"""Nova's services, started one after another in this process."""

from typing import Any

from nova import objects
from nova.conf import CONF
from nova.scheduler import rpcapi as scheduler_rpcapi

from nova_ext.lab.configuration import nova_config
from nova_ext.lab.nova import computes, nova_api, quiesce
from nova_ext.lab.process.process import Call, Stop
from nova_ext.lab.process.web import Web
from nova_ext.lab.state.lab_state import State

_API_THREADS = 16
_POOL = 'executor_thread_pool_size'


def start(here: Call, state: State) -> Stop:
    """Start everything and wait until it can be scheduled to.

    :param here: in the foreground, a person may stop inside the scheduler.
    """
    api = nova_api.load(here.place, state, here.reporter)
    computes.prepare(here.place, state.hosts)
    objects.Service.enable_min_version_cache()
    here.reporter.tell('starting conductor and scheduler')
    services = [
        computes.start_service('nova-conductor', 'conductor'),
        _scheduler(state, here.foreground),
    ]
    assert here.listener is not None  # noqa: S101  it has a port
    web = Web(api, here.listener, _API_THREADS)
    web.start()
    services += computes.start(state.hosts, here.reporter)

    def stop(deadline: float) -> None:
        # What runs on are periodic tasks, which the next start repeats.
        web.stop(deadline)
        quiesce.wait_until_quiet([one.manager for one in services], deadline)

    return stop


def _scheduler(state: State, foreground: bool) -> Any:
    # The conductor's server has registered the option. In the foreground
    # two requests that stop in one filter would share the terminal.
    CONF.set_override(
        _POOL, 1 if foreground else nova_config.requests_at_a_time(state)
    )
    try:
        return computes.start_service(
            'nova-scheduler', scheduler_rpcapi.RPC_TOPIC,
            manager=None if state.stock else nova_config.MANAGER,
        )
    finally:
        CONF.clear_override(_POOL)
