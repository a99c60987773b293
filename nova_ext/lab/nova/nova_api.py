"""Nova's API and its databases; for processes that have chosen threads."""

import os
import sys

from nova.api.openstack import wsgi_app

from nova_ext.lab.nova import nova_database, scheduler_api
from nova_ext.lab.process import nova_threads
from nova_ext.lab.process.proxy import Proxy
from nova_ext.lab.process.web import Application
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.phase import Reporter

_API = 'osapi_compute'
_PROGRAM = 'nova-api-os-compute'


def load(place: Place, state: State, reporter: Reporter) -> Application:
    """Prepare the databases, and load the API with nova-ext's beside it."""
    folder = place.configuration('nova')
    os.environ['OS_NOVA_CONFIG_DIR'] = str(folder)
    # Nova parses the command line.
    sys.argv = [_PROGRAM]
    # An older Nova takes no program's name.
    names = (_API, _PROGRAM) if nova_threads.available() else (_API,)
    wsgi_app.init_global_data(
        [str(folder / name) for name in wsgi_app.CONFIG_FILES],
        *names,
    )
    reporter.tell('preparing its databases')
    nova_database.prepare(place)
    nova_database.map_hosts([host.name for host in state.hosts])
    reporter.tell('loading the API')
    nova = wsgi_app.init_application(*names)
    return Proxy(scheduler_api.beside(place, nova))
