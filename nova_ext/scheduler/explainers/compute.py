"""Whose nova-compute is disabled or down: what ComputeFilter looks at."""

from typing import Any

from nova_ext.scheduler.explainers.reason import Explain, Reason

#: What nova-compute itself puts before its reason
#: (nova.virt.libvirt.driver.DISABLE_PREFIX).
_ITSELF = 'AUTO: '


def of_service(service: Any) -> Reason:
    """Why a service nova-compute that is disabled or down is so."""
    if not service['disabled']:
        return Reason('down', _since(service))
    why = service.get('disabled_reason') or ''
    if why.startswith(_ITSELF):
        why = why.removeprefix(_ITSELF)
        return Reason('disabled', f'by nova-compute itself: {why}')
    return Reason('disabled', f'by an operator: {why}' if why else '')


def _compute(filter_: Any, spec: Any) -> Explain:
    return lambda host: of_service(host.service)


def _since(service: Any) -> str:
    if service.get('forced_down'):
        return 'as forced_down is set'
    seen = service.get('last_seen_up')
    if seen is None:
        return 'since it was created'
    return f'since {seen:%Y-%m-%d %H:%M:%S} UTC'


EXPLAINERS = {'ComputeFilter': _compute}
