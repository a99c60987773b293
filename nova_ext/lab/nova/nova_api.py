"""Load Nova's API with nova-ext-api, in a process that has chosen threads.

nova-ext-api shares the process: the bus of a lab without a broker lives
inside it. A thread copies the decision record to the API's database.
"""

import os
import sys
import threading
from pathlib import Path

from nova.api.openstack import wsgi_app
from oslo_config import cfg
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from nova_ext.api import service
from nova_ext.conf import all_options
from nova_ext.database import schema
from nova_ext.database.database import open_database
from nova_ext.decisions import shipper
from nova_ext.lab.configuration import nova_config
from nova_ext.lab.nova import nova_database
from nova_ext.lab.process import databases, nova_threads
from nova_ext.lab.process.web import Application, Proxy
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter

_API = 'osapi_compute'
_PROGRAM = 'nova-api-os-compute'

#: Where nova-ext-api is, on the port of Nova's API.
PATH = '/scheduler'


def load(lab: LabFolder, state: State, reporter: PhaseReporter) -> Application:
    """Prepare the databases, and load both APIs."""
    folder = lab.configuration('nova')
    os.environ['OS_NOVA_CONFIG_DIR'] = str(folder)
    # Nova parses the command line.
    sys.argv = [_PROGRAM]
    # An older Nova takes no program's name.
    names = (_API, _PROGRAM) if nova_threads.available() else (_API,)
    wsgi_app.init_global_data(
        [str(folder / name) for name in wsgi_app.CONFIG_FILES],
        *names,
    )
    reporter.report('preparing its databases')
    nova_database.prepare(lab)
    nova_database.map_hosts([host.name for host in state.hosts])
    reporter.report('loading the API')
    nova = wsgi_app.init_application(*names)
    return Proxy(DispatcherMiddleware(nova, {PATH: _load_nova_ext(lab)}))


def _load_nova_ext(lab: LabFolder) -> Application:
    """Prepare nova-ext's database and load its API, with Nova's options."""
    all_options.register_all_opts(cfg.CONF)
    database = open_database(cfg.CONF)
    databases.prepare(
        lab, [databases.NOVA_EXT],
        databases.cache_key('nova-ext', *(
            file for tables in schema.list_schemas()
            for file in tables.list_files()
        )), database.sync,
    )
    threading.Thread(
        target=shipper.run, name='nova-ext-shipper', daemon=True,
        args=(
            lab.record, Path(cfg.CONF.nova_ext_journal.directory),
            nova_config.CONTROL_HOST, database, threading.Event(),
        ),
    ).start()
    return service.build(cfg.CONF)
