"""Explain the filters that read the image."""

from types import SimpleNamespace
from typing import Any

from oslo_utils import versionutils

from nova_ext.scheduler.base import options
from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.reason import (
    NO_REASON,
    HostExplainer,
    Reason,
)

_DEFAULT = 'image_properties_default_architecture'
_ARCHITECTURE = 'hw_architecture'
_VERSION = 'img_hv_requested_version'
_BITS = 'hw_maxphysaddr_bits'
#: What a host runs, and what Nova compares only where one of these is given.
_KINDS = (_ARCHITECTURE, 'img_hv_type', 'hw_vm_mode')
_CONDITIONS = (_VERSION, _BITS)


def _image_properties(filter_: Any, spec: Any) -> HostExplainer:
    default = getattr(options.CONF.filter_scheduler, _DEFAULT)
    image = dict(partial_requests.list_properties(spec))
    wanted = {_ARCHITECTURE: default} if default else {}
    wanted |= {
        name: image[name] for name in _KINDS + _CONDITIONS if name in image
    }
    texts = {name: f'image wants {name}={wanted[name]}' for name in wanted}
    if default and _ARCHITECTURE not in image:
        texts[_ARCHITECTURE] = f'{_DEFAULT} is {default}'
    kinds = [name for name in _KINDS if name in wanted]
    together = ', '.join(f'{name}={wanted[name]}' for name in kinds)
    tries = [
        *(([name], texts[name]) for name in kinds),
        (kinds, f'image wants all of {together}'),
        *(
            ([*kinds, name], texts[name])
            for name in _CONDITIONS if name in wanted
        ),
    ]

    def explain(host: Any) -> Reason:
        for names, text in tries:
            # The default is used where the architecture is not None.
            properties = {_ARCHITECTURE: None}
            properties |= {name: wanted[name] for name in names}
            part = SimpleNamespace(image=SimpleNamespace(
                properties=properties
            ))
            if not filter_.host_passes(host, part):
                return Reason(text, _describe_host(host, names[-1]))
        return NO_REASON

    return explain


def _describe_host(host: Any, name: str) -> str:
    """Describe what the filter compares with a property of the image."""
    if name == _VERSION:
        version = versionutils.convert_version_to_str(host.hypervisor_version)
        return f'and the hypervisor is {version}'
    if name == _BITS:
        return f'and the host has {host.cpu_info["maxphysaddr"]["bits"]}'
    return _supported(host)


def _supported(host: Any) -> str:
    kinds = ['/'.join(map(str, kind)) for kind in host.supported_instances]
    return f'and the host runs {", ".join(sorted(kinds)) or "none"}'


def _isolated_hosts(filter_: Any, spec: Any) -> HostExplainer:
    isolated = set(options.CONF.filter_scheduler.isolated_hosts)

    def explain(host: Any) -> Reason:
        if host.host in isolated:
            return Reason('in isolated_hosts, and the image is not isolated')
        return Reason('not in isolated_hosts, and the image is isolated')

    return explain


EXPLAINERS = {
    'ImagePropertiesFilter': _image_properties,
    'IsolatedHostsFilter': _isolated_hosts,
}
