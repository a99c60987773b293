"""Glance as the lab runs it."""

import os

from nova_ext.lab import databases
from nova_ext.lab.phase import Reporter
from nova_ext.lab.place import Place
from nova_ext.lab.states import State
from nova_ext.lab.web import Application


def build(place: Place, state: State, reporter: Reporter) -> Application:
    """Load and migrate Glance."""
    os.environ['OS_GLANCE_CONFIG_DIR'] = str(place.configuration('glance'))
    from glance.common import wsgi_app

    application = wsgi_app.init_app()
    reporter.tell('preparing its database')
    databases.prepare(
        place, ['glance.sqlite'],
        databases.key('glance', __file__), _migrate,
    )
    return application


def _migrate() -> None:
    from glance.cmd import manage

    manage.DbCommands().sync()
