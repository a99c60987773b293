"""nova-ext-api as the lab runs it: beside Nova's API, in its process.

The bus of a lab without a broker lives inside that process. The record is
put into the API's database there, too.
"""

import threading

from oslo_config import cfg
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from nova_ext import conf as options
from nova_ext.api import service
from nova_ext.decision_database import configured, models, shipper
from nova_ext.lab.configuration import nova_config
from nova_ext.lab.process import databases
from nova_ext.lab.process.web import Application
from nova_ext.lab.state.paths import Place

#: Where it is found on the port of Nova's API.
PATH = '/scheduler'

_DATABASE = 'nova_ext.sqlite'


def beside(place: Place, nova: Application) -> Application:
    """Serve both.

    :param nova: Nova's API, which has read the configuration.
    """
    options.register_opts(cfg.CONF)
    database = configured.of(cfg.CONF)

    def migrate() -> None:
        database.sync()

    databases.prepare(
        place, [_DATABASE], databases.key('nova-ext', models.__file__),
        migrate,
    )
    threading.Thread(
        target=shipper.run, name='nova-ext-shipper', daemon=True,
        args=(
            place.record, nova_config.CONTROL_HOST, database,
            threading.Event(),
        ),
    ).start()
    return DispatcherMiddleware(nova, {PATH: service.build(cfg.CONF)})
