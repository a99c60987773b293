"""What is installed beside nova-ext."""

import platform
import re
from importlib import metadata

#: Packages that take part in scheduling, or in what reports on it.
_WANTED = re.compile(
    r'(nova|keystone|openstack|oslo|placement|glance|neutron|os[-_]).*'
    r'|sqlalchemy|stevedore|cliff|pbr|eventlet|requests|numpy',
    re.IGNORECASE,
)


def versions() -> dict[str, str]:
    """Python, the system, and packages by name."""
    packages = {
        distribution.name: distribution.version
        for distribution in metadata.distributions()
        if distribution.name and _WANTED.fullmatch(distribution.name)
    }
    return {
        'python': platform.python_version(),
        'system': f'{platform.system()} {platform.machine()}',
        **dict(sorted(packages.items(), key=lambda pair: pair[0].lower())),
    }
