"""Write what makes a lab a zone: options of nova.conf, and credentials."""

import yaml

from nova_ext.lab.configuration import config
from nova_ext.lab.state import lab_state, paths
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.zone import Zone

#: User, project and application credential of a parent in its child zone: the
#: zone's own, and one for each tenant that is to stay apart.
ACCOUNT, _ = ACCOUNTS = ('parent', 'parent-demo')
#: The role with which it asks for offers.
ROLE = 'nova_ext_parent'
#: The parent's credentials for its child zones, in the parent's folder.
CLOUDS = 'etc/nova/zone-clouds.yaml'

#: Different ones, so that it is seen whose a zone shows.
_CAPABILITIES = (
    'hypervisor=kvm, os=linux', 'hypervisor=kvm, os=linux;windows',
    'hypervisor=xen, os=linux',
)
_INTERVAL_S = 2


def build_sections(
    lab: LabFolder, state: State, zone: Zone
) -> config.Sections:
    """Return the options of a zone's nova.conf."""
    return {
        'nova_ext': {
            'scheduler_driver': ('FilterScheduler', 'ZoneAwareScheduler'),
        },
        'nova_ext_offers': {'secret': state.passwords[lab_state.OFFERS]},
        'nova_ext_zones': {
            'zone_name': zone.name,
            'zone_capabilities': _CAPABILITIES[zone.depth],
            'enable_zone_routing': True,
            'zone_clouds_file': config.escape(lab.path / CLOUDS),
            'allow_http': True, 'interval_s': _INTERVAL_S,
        },
    }


def configure(lab: LabFolder, state: State) -> config.Files:
    """Return the files with which a parent zone reaches its child zone."""
    if state.zone is None or state.zone.child is None:
        return {}
    child = lab_state.load(paths.locate(state.zone.child))
    clouds = {
        get_cloud(state.zone, account): _build_cloud(child, account)
        for account in ACCOUNTS
    }
    return {CLOUDS: yaml.safe_dump({'clouds': clouds}, sort_keys=False)}


def get_cloud(zone: Zone, account: str = ACCOUNT) -> str:
    """Return the name of credentials that a zone has for its child."""
    name = Zone(zone.labs, zone.depth + 1).name
    return name + account.removeprefix(ACCOUNT)


def list_projects(account: str) -> tuple[str, str]:
    """Return the names of a zone's projects that an account is for.

    They are the lab's own project, and that of the zone's parent.
    """
    return ('admin' if account == ACCOUNT else 'demo'), account


def _build_cloud(child: State, account: str) -> dict[str, object]:
    return {
        'auth_type': 'v3applicationcredential',
        'auth': {
            'auth_url': child.url('keystone', '/v3'),
            'username': account, 'user_domain_name': 'Default',
            'application_credential_name': account,
            'application_credential_secret':
                child.passwords[lab_state.CREDENTIAL],
        },
        'region_name': config.REGION,
        'identity_api_version': '3',
    }
