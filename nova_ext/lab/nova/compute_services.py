"""The computes of a lab whose other services are elsewhere."""

import time

import nova.db.main.api
from nova import config, objects
from nova.conductor import rpcapi as conductor_rpcapi
from nova.conf import CONF
from nova.objects import base
from oslo_log import log as logging

from nova_ext.lab.configuration import broker
from nova_ext.lab.nova import computes, program, quiesce
from nova_ext.lab.process import nova_threads
from nova_ext.lab.process.process import Call, Stop
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State

_PATIENCE_S = 300


def start(here: Call, state: State) -> Stop:
    """Start a compute for each host, as nova-compute starts its one."""
    config.parse_args([
        'nova-compute', '--config-file',
        str(here.place.configuration('nova') / 'nova.conf'),
    ])
    logging.setup(CONF, 'nova')
    if nova_threads.available():
        # That of Nova 31 has no such module.
        from oslo_service import opts

        opts.register_service_opts(CONF)
    objects.register_all()
    computes.prepare(here.place, state.hosts)
    nova.db.main.api.DISABLE_DB_ACCESS = True
    # A nova-compute is not told of it, and would look into it if it were.
    CONF.set_override('connection', None, 'api_database')
    here.reporter.tell('waiting for the conductor')
    # Nova would look for it every ten seconds only.
    if not broker.wait_for(
        state, program.queue(program.CONDUCTOR), time.monotonic() + _PATIENCE_S
    ):
        raise LabError('no conductor to ask for the database')
    base.NovaObject.indirection_api = conductor_rpcapi.ConductorAPI()
    objects.Service.enable_min_version_cache()
    services = computes.start(state.hosts, here.reporter)

    def stop(deadline: float) -> None:
        for one in services:
            one.rpcserver.stop()
        quiesce.wait_until_idle([one.manager for one in services], deadline)

    return stop
