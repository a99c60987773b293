"""Explain the filters that read the image."""

from types import SimpleNamespace
from typing import Any

from oslo_utils import versionutils

from nova_ext.scheduler.base import options
from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.reason import HostExplainer, Reason

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
    wanted = {_ARCHITECTURE: default, **image} if default else image
    kinds = {name: wanted[name] for name in _KINDS if name in wanted}
    conditions = {name: image[name] for name in _CONDITIONS if name in image}

    def passes(host: Any, properties: dict[str, Any]) -> bool:
        # The default is used where the architecture is not None.
        image = SimpleNamespace(
            properties={_ARCHITECTURE: None, **properties}
        )
        return bool(filter_.host_passes(host, SimpleNamespace(image=image)))

    def explain(host: Any) -> Reason:
        failing = [
            name for name in kinds if not passes(host, {name: kinds[name]})
        ]
        together = not failing and not passes(host, kinds)
        failing = list(kinds) if together else failing
        # Conditions are compared beside a kind alone: this is one that fits.
        own = {_ARCHITECTURE: (host.supported_instances or [[None]])[0][0]}
        failing += [
            name for name, value in conditions.items() if passes(host, own)
            and not passes(host, {**own, name: value})
        ]
        texts = [f'{_DEFAULT} is {default}'] * bool({*failing} - {*image})
        wants = [f'{name}={image[name]}' for name in failing if name in image]
        if wants:
            texts.append(f'image wants {" and ".join(wants)}')
        details = dict.fromkeys(_describe_host(host, name) for name in failing)
        text = ' and '.join(texts) + ' together' * together
        return Reason(text, ', '.join(details))

    return explain


def _describe_host(host: Any, name: str) -> str:
    """Describe what the filter compares with a property of the image."""
    if name == _VERSION:
        version = versionutils.convert_version_to_str(host.hypervisor_version)
        return f'and the hypervisor is {version}'
    if name == _BITS:
        return f'and the host has {host.cpu_info["maxphysaddr"]["bits"]}'
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
