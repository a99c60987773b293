"""ComputeFilter: whose nova-compute is disabled or down."""

from typing import Any

from nova_ext.scheduler.explainers.reason import Explain, Reason

#: What nova-compute itself puts before its reason
#: (nova.virt.libvirt.driver.DISABLE_PREFIX).
_ITSELF = 'AUTO: '


def _compute(filter_: Any, spec: Any) -> Explain:
    return _why


def _why(host: Any) -> Reason:
    service = host.service
    if not service['disabled']:
        return Reason('down', _since(service))
    why = service.get('disabled_reason') or ''
    if why.startswith(_ITSELF):
        why = why.removeprefix(_ITSELF)
        return Reason('disabled', f'by nova-compute itself: {why}')
    return Reason('disabled', f'by an operator: {why}' if why else '')


def _since(service: Any) -> str:
    if service.get('forced_down'):
        return 'as forced_down is set'
    seen = service.get('last_seen_up')
    if seen is None:
        return 'since it was created'
    return f'since {seen:%Y-%m-%d %H:%M:%S} UTC'


EXPLAINERS = {'ComputeFilter': _compute}
