"""Run Nova's compute services, one for each host of a lab, in one process."""

import shlex
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import nova.db.main.api
import os_brick
import os_vif
from nova import config, objects, service, utils
from nova.compute import rpcapi
from nova.conductor import rpcapi as conductor_rpcapi
from nova.conf import CONF
from nova.objects import base
from oslo_log import log as logging
from oslo_privsep import priv_context

from nova_ext.lab.nova import pending_work, program, virt
from nova_ext.lab.process import nova_threads
from nova_ext.lab.process.process import Arguments, Stop
from nova_ext.lab.state.hosts import LabHost
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter

# More would only contend for the interpreter's lock.
_AT_A_TIME = 2


def serve(args: Arguments, state: State) -> Stop:
    """Start all computes of a lab whose other services are elsewhere."""
    config.parse_args([
        'nova-compute', '--config-file',
        str(args.lab.configuration('nova') / 'nova.conf'),
    ])
    logging.setup(CONF, 'nova')
    if nova_threads.available():
        # That of Nova 31 has no such module.
        from oslo_service import opts

        opts.register_service_opts(CONF)
    objects.register_all()
    prepare(args.lab, state.hosts)
    nova.db.main.api.DISABLE_DB_ACCESS = True
    # As in a deployment: with this option a compute would use the database.
    CONF.set_override('connection', None, 'api_database')
    # Nova would look for it every ten seconds only.
    program.wait_for(args, {
        'the conductor': lambda: program.is_consuming(
            state, program.CONDUCTOR
        ),
    })
    base.NovaObject.indirection_api = conductor_rpcapi.ConductorAPI()
    objects.Service.enable_min_version_cache()
    computes = start(state.hosts, args.reporter)

    def stop(deadline: float) -> None:
        for compute in computes:
            compute.rpcserver.stop()
        pending_work.wait(
            [compute.manager for compute in computes], deadline
        )

    return stop


def prepare(lab: LabFolder, hosts: list[LabHost]) -> None:
    """Set up what the computes of a process share."""
    # It reads the intervals of its tasks when it is loaded. Of two threads
    # that load it at once the second sees half of it.
    import_module('nova.compute.manager')
    priv_context.init(root_helper=shlex.split(utils.get_root_helper()))
    os_brick.setup(CONF)
    os_vif.initialize()
    virt.install(hosts, lab.path / 'state')


def start(hosts: list[LabHost], reporter: PhaseReporter) -> list[Any]:
    """Start a compute for each host."""
    computes: list[Any] = []
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        futures = [pool.submit(_start_compute, host.name) for host in hosts]
        try:
            for future in futures:
                reporter.report(
                    f'starting computes, {len(computes)} of {len(hosts)}'
                )
                computes.append(future.result())
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return computes


def _start_compute(host: str) -> Any:
    topics = (
        {'topic_alt': rpcapi.RPC_TOPIC_ALT} if nova_threads.available() else {}
    )
    return start_service(
        'nova-compute', rpcapi.RPC_TOPIC, host=host, **topics
    )


def start_service(binary: str, topic: str, **options: Any) -> Any:
    """Start a service of Nova in this process."""
    started = service.Service.create(binary=binary, topic=topic, **options)
    started.start()
    return started
