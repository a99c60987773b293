"""Nova's compute services, as many as a lab has hosts, in one process."""

import shlex
from concurrent.futures import ThreadPoolExecutor
from typing import Any

# Of two greenlets that load it at once the second sees half of it.
import nova.compute.manager  # noqa: F401
import os_brick
import os_vif
from nova import service, utils
from nova.compute import rpcapi
from nova.conf import CONF
from oslo_privsep import priv_context

from nova_ext.lab.nova import virt
from nova_ext.lab.process import nova_threads
from nova_ext.lab.state.hosts import Host
from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.phase import Reporter

# More would only contend for the interpreter's lock.
_AT_A_TIME = 2


def prepare(place: Place, hosts: list[Host]) -> None:
    """Set up what the computes of a process share."""
    priv_context.init(root_helper=shlex.split(utils.get_root_helper()))
    os_brick.setup(CONF)
    os_vif.initialize()
    virt.install(hosts, place.folder / 'state')


def start(hosts: list[Host], reporter: Reporter) -> list[Any]:
    """Start a compute for each host."""
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


def start_service(binary: str, topic: str, **options: Any) -> Any:
    """Start a service of Nova in this process."""
    one = service.Service.create(binary=binary, topic=topic, **options)
    one.start()
    return one


def _compute(host: str) -> Any:
    topics = (
        {'topic_alt': rpcapi.RPC_TOPIC_ALT} if nova_threads.available() else {}
    )
    return start_service(
        'nova-compute', rpcapi.RPC_TOPIC, host=host, **topics
    )
