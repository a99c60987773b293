"""Configure and load Glance."""

import os

from nova_ext.lab.configuration import config
from nova_ext.lab.process import databases
from nova_ext.lab.process.web import Application
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter

_PASTE = 'etc/glance/glance-api-paste.ini'


def build(
    lab: LabFolder, state: State, reporter: PhaseReporter
) -> Application:
    """Load and migrate Glance."""
    os.environ['OS_GLANCE_CONFIG_DIR'] = str(lab.configuration('glance'))
    from glance.common import wsgi_app

    application = wsgi_app.init_app()
    reporter.report('preparing its database')
    databases.prepare(
        lab, ['glance.sqlite'],
        databases.cache_key('glance', __file__), _migrate,
    )
    return application


def configure(lab: LabFolder, state: State) -> config.Files:
    """Return Glance's files."""
    images = config.escape(lab.path / 'images')
    return {
        _PASTE: config.read_shipped_file('glance', 'glance-api-paste.ini'),
        'etc/glance/glance-api.conf': config.render({
            'DEFAULT': {
                **config.LOGGING,
                'enabled_backends': 'file:file',
                'node_staging_uri': f'file://{images}/staging',
            },
            'glance_store': {'default_backend': 'file'},
            'file': {'filesystem_store_datadir': images},
            'os_glance_staging_store': {
                'filesystem_store_datadir': f'{images}/staging',
            },
            'os_glance_tasks_store': {
                'filesystem_store_datadir': f'{images}/tasks',
            },
            'database': {'connection': config.database_url(lab, 'glance')},
            'paste_deploy': {
                'flavor': 'keystone',
                'config_file': config.escape(lab.path / _PASTE),
            },
            'oslo_concurrency': {'lock_path': config.escape(lab.locks)},
            'keystone_authtoken': config.authtoken_options(state, 'glance'),
        }),
    }


def _migrate() -> None:
    from glance.cmd import manage

    manage.DbCommands().sync()
