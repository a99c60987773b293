"""Nova's own functional tests of scheduling, unchanged.

They ship with Nova. ``NOVA_EXT_STOCK=1`` leaves Nova's manager in place,
``NOVA_EXT_MIRROR=1`` has a mirror decide that is refreshed before each
request.
"""

import importlib
import os
import sys
from pathlib import Path

from nova import service
from nova.tests.fixtures import notifications
from nova.tests.functional import integrated_helpers

from tests.functional import (
    kept_connections,
    orderly_ends,
    patience,
    readers_first,
)
from tests.functional.base import OUR_MANAGER

MODULES = (
    'compute.test_live_migration', 'test_aggregates',
    'test_availability_zones', 'test_cold_migrate',
    'test_cross_cell_migrate', 'test_json_filter', 'test_scheduler',
    'test_server_group', 'test_servers',
)
REFRESHING_MANAGER = 'tests.novas.refreshing.RefreshingManager'
#: Options by which the mirror decides whatever it can.
MIRROR_OPTIONS = {
    'OS_NOVA_EXT__MIRROR': 'on',
    'OS_NOVA_EXT__MIRROR_MAX_AGE_S': '3600',
    'OS_NOVA_EXT__MIRROR_VERIFY_PERCENT': '0',
}


def load_tests(loader, standard_tests, pattern):
    """Stand in for the tests of this module, of which there are none."""
    # Nova looks for the file where only a checkout has it.
    os.environ['OS_WSGI__API_PASTE_CONFIG'] = str(
        Path(sys.prefix, 'etc', 'nova', 'api-paste.ini')
    )
    if not os.environ.get('NOVA_EXT_STOCK'):
        service.SERVICE_MANAGERS['nova-scheduler'] = OUR_MANAGER
        if os.environ.get('NOVA_EXT_MIRROR'):
            # Before Nova's tests forbid what numpy looks for once.
            importlib.import_module('numpy')
            service.SERVICE_MANAGERS['nova-scheduler'] = REFRESHING_MANAGER
            os.environ.update(MIRROR_OPTIONS)
        os.environ['OS_NOVA_EXT_RECORD__SUCCESSES_IN_FULL'] = 'true'
    _wait_longer()
    # To the end of the process.
    kept_connections.KeptConnections().setUp()
    orderly_ends.OrderlyEnds().setUp()
    readers_first.ReadersFirst().setUp()
    return loader.suiteClass(
        loader.loadTestsFromName(f'nova.tests.functional.{name}')
        for name in MODULES
    )


def _wait_longer():
    """Have Nova's waits hold on a busy machine, too, as ours do."""
    helpers = integrated_helpers.InstanceHelperMixin
    for name in (
        'wait_for', '_wait_for_migration_status',
        '_wait_for_instance_action_event',
    ):
        setattr(helpers, name, getattr(patience.PatientMixin, name))
    retries = int(patience.DEADLINE_S / patience.POLL_S)
    for method in (
        helpers._wait_for_server_parameter, helpers._wait_for_state_change,
    ):
        method.__defaults__ = (retries, *method.__defaults__[1:])
    for kind in (
        notifications.FakeVersionedNotifier, notifications.NotificationFixture,
    ):
        method = kind.wait_for_versioned_notifications
        method.__defaults__ = (method.__defaults__[0], patience.DEADLINE_S)
