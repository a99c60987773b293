"""Configure and load Placement."""

import os

from nova_ext.lab.configuration import config
from nova_ext.lab.process import databases
from nova_ext.lab.process.web import Application
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter

# oslo.config's name for [placement_database] sync_on_startup.
_SYNC = 'OS_PLACEMENT_DATABASE__SYNC_ON_STARTUP'


def build(
    lab: LabFolder, state: State, reporter: PhaseReporter
) -> Application:
    """Migrate and load Placement."""
    os.environ['OS_PLACEMENT_CONFIG_DIR'] = str(
        lab.configuration('placement')
    )
    from placement import wsgi

    reporter.report('preparing its database')
    databases.prepare(
        lab, ['placement.sqlite'],
        databases.cache_key('openstack-placement', __file__), _migrate,
    )
    return wsgi.init_application()


def configure(lab: LabFolder, state: State) -> config.Files:
    """Return Placement's files."""
    return {'etc/placement/placement.conf': config.render({
        'DEFAULT': config.LOGGING,
        'placement_database': {
            'connection': config.database_url(lab, 'placement'),
        },
        'keystone_authtoken': config.authtoken_options(state, 'placement'),
    })}


def _migrate() -> None:
    """Load Placement once with the option by which it migrates."""
    from placement import wsgi

    os.environ[_SYNC] = 'true'
    wsgi.init_application()
    del os.environ[_SYNC]
