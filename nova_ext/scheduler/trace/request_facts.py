"""What a record keeps of a request and of who decided it."""

import hashlib
import json
from functools import cache
from importlib import metadata
from typing import Any

from nova_ext.conf import record
from nova_ext.core.base.mode import Mode
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.password_mask import masked

#: Groups of options that decisions depend on, beside our own.
_GROUPS = ('filter_scheduler', 'metrics', 'pci', 'scheduler')
#: The same of [DEFAULT]: what is down, and in which zone it is.
_OPTIONS = (
    'default_availability_zone', 'default_schedule_zone', 'service_down_time',
)

_FLAVOR = ('name', 'vcpus', 'memory_mb', 'root_gb', 'ephemeral_gb', 'swap')


def caller(spec: Any) -> Any:
    """The context of who asked, which arrived with the request spec.

    oslo.context's current one is an administrator's by the time hosts are
    filtered: Nova replaces it while it reads the cells' databases
    (nova.context.target_cell).

    :returns: None for a spec that was made without a context.
    """
    return getattr(spec, '_context', None)


def decided_by(mode: Mode, driver: str) -> dict[str, Any]:
    """Return host, mode, driver and versions of what decides."""
    return {
        'host': options.CONF.host, 'mode': mode.value, 'driver': driver,
        **_versions(),
    }


def configuration() -> str:
    """A digest of the options that decisions depend on.

    Decisions with different digests were made under different
    configurations; which option differs it does not tell.
    """
    values = {
        group: dict(options.CONF[group])
        for group in sorted(options.CONF)
        if group in _GROUPS or group.startswith('nova_ext')
        if group != record.GROUP.name
    }
    values['DEFAULT'] = {name: options.CONF[name] for name in _OPTIONS}
    text = json.dumps(values, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def describe_request(spec: Any) -> dict[str, Any]:
    """Return what the request asks for, secrets in hints masked.

    :param spec: Nova's request spec.
    :returns: only what is set, so that most records stay small.
    """
    facts: dict[str, Any] = {
        'servers': spec.num_instances if 'num_instances' in spec else None,
        'availability_zone': _get(spec, 'availability_zone'),
        'hints': _hints(spec),
        'ignore_hosts': list(_get(spec, 'ignore_hosts') or ()),
        'force_hosts': list(_get(spec, 'force_hosts') or ()),
        'force_nodes': list(_get(spec, 'force_nodes') or ()),
        'requested_host': _requested_host(spec),
    }
    flavor = _get(spec, 'flavor')
    if flavor is not None:
        facts['flavor'] = {name: _get(flavor, name) for name in _FLAVOR}
    image = _get(spec, 'image')
    if image is not None:
        facts['image'] = _get(image, 'id')
    return {name: value for name, value in facts.items() if value}


def restriction(spec: Any) -> tuple[str, str]:
    """Which field of the request takes hosts out before any filter.

    :returns: the field's name and the reason in words.
    """
    forced = _get(spec, 'force_hosts') or _get(spec, 'force_nodes')
    if forced:
        return 'force_hosts', f'forced to {", ".join(forced)}'
    requested = _requested_host(spec)
    if requested:
        return 'requested_destination', f'destination is {requested}'
    return 'ignore_hosts', 'host is to be left'


def prefilters(spec: Any) -> dict[str, list[str]]:
    """What Nova's prefilters added to the request.

    :returns: required and forbidden traits, aggregates to be in (each item
        a list joined by "or") and to avoid; only what is set.
    """
    destination = _get(spec, 'requested_destination')
    # Its root_required and root_forbidden are no fields but properties.
    params = _get(spec, 'request_level_params')
    found = {
        'required_traits': sorted(_get(params, 'root_required') or ()),
        'forbidden_traits': sorted(_get(params, 'root_forbidden') or ()),
        'aggregates': list(_get(destination, 'aggregates') or ()),
        'forbidden_aggregates': sorted(
            _get(destination, 'forbidden_aggregates') or ()
        ),
    }
    return {name: value for name, value in found.items() if value}


def _hints(spec: Any) -> dict[str, Any]:
    hints = {
        name: value
        for name, value in (_get(spec, 'scheduler_hints') or {}).items()
        if not name.startswith('_nova')
    }
    return masked(hints)


def _requested_host(spec: Any) -> str:
    return _get(_get(spec, 'requested_destination'), 'host') or ''


def _get(obj: Any, field: str) -> Any:
    """A field of a Nova object; None where it is not set."""
    return getattr(obj, field) if obj is not None and field in obj else None


@cache
def _versions() -> dict[str, str]:
    return {
        'nova': metadata.version('nova'),
        'nova_ext': metadata.version('nova-ext'),
    }
