"""Explain the filters that read the image."""

from typing import Any

from oslo_utils import versionutils

from nova_ext.scheduler.base import options
from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.reason import HostExplainer, Reason

_DEFAULT = 'image_properties_default_architecture'
_VERSION = 'img_hv_requested_version'
_BITS = 'hw_maxphysaddr_bits'


def _image_properties(filter_: Any, spec: Any) -> HostExplainer:
    parts = partial_requests.split_image_properties(spec)
    together = ', '.join(f'{p.name}={p.value}' for p in parts if p.name)

    def explain(host: Any) -> Reason:
        part = partial_requests.find_failing(filter_, host, parts)
        if part is None:
            return Reason(
                f'image wants all of {together}', _supported(host)
            )
        if not part.name:
            default = getattr(options.CONF.filter_scheduler, _DEFAULT)
            return Reason(f'{_DEFAULT} is {default}', _supported(host))
        detail = '' if part.name == _BITS else _supported(host)
        if part.name == _VERSION:
            version = versionutils.convert_version_to_str(
                host.hypervisor_version
            )
            detail = f'and the hypervisor is {version}'
        return Reason(f'image wants {part.name}={part.value}', detail)

    return explain


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
