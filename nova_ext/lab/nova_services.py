"""Nova's services, started one after another in this process."""

import os
import shlex
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import nova.conf
import os_brick
import os_vif
from nova import context, objects, service, utils
from nova.api.openstack import wsgi_app
from nova.compute import rpcapi as compute_rpcapi
from nova.objects import host_mapping
from nova.scheduler import rpcapi as scheduler_rpcapi
from oslo_privsep import priv_context

from nova_ext.lab import drain, nova_database, virt
from nova_ext.lab.hosts import Host
from nova_ext.lab.phase import Reporter
from nova_ext.lab.place import Place
from nova_ext.lab.proxy import Proxy
from nova_ext.lab.states import State
from nova_ext.lab.web import Web

CONF = nova.conf.CONF

_MANAGER = 'nova_ext.scheduler.manager.SchedulerManager'
_API = 'osapi_compute'
_PROGRAM = 'nova-api-os-compute'
_API_THREADS = 16
# More would only contend for the interpreter's lock.
_AT_A_TIME = 2
_POOL = 'executor_thread_pool_size'
# The 64 that are usual would all see the same free host, and pile on it what
# comes at the same moment. In the foreground two requests that stop in one
# filter would share the terminal.
_REQUESTS_AT_A_TIME = 2


class Running:
    """Nova as it runs in this process.

    :param web: its API.
    :param services: conductor, scheduler and computes.
    """

    def __init__(self, web: Web, services: list[Any]) -> None:
        self._web = web
        self._services = services

    def stop(self, deadline: float) -> None:
        """Refuse new requests, and finish those in hand.

        What runs on are periodic tasks, which the next start repeats.

        :param deadline: when to give up, by time.monotonic().
        """
        self._web.stop(deadline)
        drain.wait_until_quiet(
            [one.manager for one in self._services], deadline
        )


def start(
    place: Place, state: State, listener: socket.socket, reporter: Reporter,
    foreground: bool,
) -> Running:
    """Start everything and wait until it can be scheduled to.

    :param foreground: a person may stop inside the scheduler.
    """
    _configure(place)
    reporter.tell('preparing its databases')
    nova_database.prepare(place)
    reporter.tell('loading the API')
    api = Proxy(wsgi_app.init_application(_API, _PROGRAM))
    priv_context.init(root_helper=shlex.split(utils.get_root_helper()))
    os_brick.setup(CONF)
    os_vif.initialize()
    objects.Service.enable_min_version_cache()
    virt.install(state.hosts, place.nova_state)
    reporter.tell('starting conductor and scheduler')
    services = [
        _start('nova-conductor', 'conductor'),
        _scheduler(state.stock, foreground),
    ]
    web = Web(api, listener, _API_THREADS)
    web.start()
    services += _computes(state.hosts, reporter)
    host_mapping.discover_hosts(context.get_admin_context())
    return Running(web, services)


def _configure(place: Place) -> None:
    folder = place.configuration('nova')
    os.environ['OS_NOVA_CONFIG_DIR'] = str(folder)
    # Nova parses the command line.
    sys.argv = [_PROGRAM]
    wsgi_app.init_global_data(
        [str(folder / name) for name in wsgi_app.CONFIG_FILES],
        _API, _PROGRAM,
    )


def _scheduler(stock: bool, foreground: bool) -> Any:
    # The conductor's server has registered the option.
    CONF.set_override(
        _POOL, 1 if foreground else min(CONF[_POOL], _REQUESTS_AT_A_TIME)
    )
    try:
        return _start(
            'nova-scheduler', scheduler_rpcapi.RPC_TOPIC,
            manager=None if stock else _MANAGER,
        )
    finally:
        CONF.clear_override(_POOL)


def _computes(hosts: list[Host], reporter: Reporter) -> list[Any]:
    started: list[Any] = []
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        futures = [pool.submit(_compute, host.name) for host in hosts]
        try:
            for future in futures:
                reporter.tell(
                    f'starting computes, {len(started)} of {len(hosts)}'
                )
                started.append(future.result())
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return started


def _compute(host: str) -> Any:
    return _start(
        'nova-compute', compute_rpcapi.RPC_TOPIC, host=host,
        topic_alt=compute_rpcapi.RPC_TOPIC_ALT,
    )


def _start(binary: str, topic: str, **options: Any) -> Any:
    one = service.Service.create(binary=binary, topic=topic, **options)
    one.start()
    return one
