"""Import what programs import; see ``forked``.

Left out is Nova, whose options are in the way of programs that have some of
their own, and with it all of nova_ext that imports Nova.
"""

from nova_ext.api import native_threads
from tests.unit import forked

native_threads.choose()

forked.preload(
    # The tests' own main module, which each process imports.
    'stestr.subunit_runner.run',
    # For Nova.
    'castellan.key_manager',
    'glanceclient',
    'kombu',
    'neutronclient.v2_0.client',
    'openstack.connection',
    'os_traits',
    'oslo_limit.limit',
    'oslo_versionedobjects.base',
    'nova_ext.api.configuration',
    'nova_ext.api.service',
    'nova_ext.cmd.agent',
    'nova_ext.cmd.exporter',
    'nova_ext.cmd.main',
    'nova_ext.cmd.manage',
    'nova_ext.cmd.shipper',
    'nova_ext.cmd.status',
    'nova_ext.zones.cmd.builder',
    'nova_ext.zones.cmd.zone_poller',
)
