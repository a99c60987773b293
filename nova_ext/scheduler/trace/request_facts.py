"""Describe a request, and what decides it, for the record and the log."""

import hashlib
import json
import logging
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import Any

from nova_ext.conf import record
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as decisions
from nova_ext.core.request.masking import SECRET, mask, mask_passwords
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort

#: Groups of options that decisions depend on, besides our own.
_GROUPS = ('filter_scheduler', 'metrics', 'pci', 'scheduler')
#: Such options of [DEFAULT]: when a service is down, and zones.
_OPTIONS = (
    'default_availability_zone', 'default_schedule_zone', 'service_down_time',
)

LOG = logging.getLogger(__name__)

_FLAVOR = ('name', 'vcpus', 'memory_mb', 'root_gb', 'ephemeral_gb', 'swap')


def get_caller_context(spec: Any) -> Any:
    """Return the context that arrived with the request spec.

    oslo.context's current one is an administrator's while hosts are
    filtered: Nova replaces it when it reads the cells' databases
    (nova.context.target_cell).

    :returns: None for a spec without a context.
    """
    return getattr(spec, '_context', None)


def describe_decider(mode: Mode, driver: str) -> dict[str, Any]:
    """Return host, mode, driver and versions of what decides."""
    return {
        'host': options.CONF.host, 'mode': mode.value, 'driver': driver,
        **_versions(),
    }


def digest_configuration() -> str:
    """Return a digest of the options that decisions depend on."""
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

    :returns: only what is set, so that most records stay small.
    """
    hints = _get(spec, 'scheduler_hints') or {}
    facts: dict[str, Any] = {
        'servers': spec.num_instances if 'num_instances' in spec else None,
        'availability_zone': _get(spec, 'availability_zone'),
        'hints': mask_passwords({
            name: value for name, value in hints.items()
            if not name.startswith('_nova')
        }),
        'ignore_hosts': list(_get(spec, 'ignore_hosts') or ()),
        'force_hosts': list(_get(spec, 'force_hosts') or ()),
        'force_nodes': list(_get(spec, 'force_nodes') or ()),
        'requested_host': _requested(spec, 'host'),
        'requested_node': _requested(spec, 'node'),
    }
    flavor = _get(spec, 'flavor')
    if flavor is not None:
        facts['flavor'] = {name: _get(flavor, name) for name in _FLAVOR}
    image = _get(spec, 'image')
    if image is not None:
        facts['image'] = _get(image, 'id')
    return {name: value for name, value in facts.items() if value}


def describe_restriction(spec: Any) -> tuple[str, Callable[[Any], str]]:
    """Describe how the request itself takes hosts out before any filter.

    :returns: the field's name, and what returns why a host state was taken
        out; no name where the request has nothing that does.
    """
    name, text = _describe_wanted_host(spec)
    ignored = [host.lower() for host in _get(spec, 'ignore_hosts') or ()]

    def explain(host: Any) -> str:
        if host.host.lower() not in ignored:
            return text
        is_first = host.host.lower() == ignored[0]
        return decisions.IGNORED_FIRST if is_first else decisions.IGNORED_NEXT

    return name or 'ignore_hosts' * bool(ignored), explain


def _describe_wanted_host(spec: Any) -> tuple[str, str]:
    forced = _get(spec, 'force_hosts') or _get(spec, 'force_nodes')
    if forced:
        return 'force_hosts', f'forced to {", ".join(forced)}'
    requested = _requested(spec, 'host') or _requested(spec, 'node')
    if requested:
        return 'requested_destination', f'destination is {requested}'
    return '', 'left out for a reason that was not seen'


def describe_prefilters(spec: Any) -> dict[str, list[str]]:
    """Return what Nova's prefilters added to the request.

    :returns: required and forbidden traits, aggregates to be in (each item
        lists alternatives) and to avoid; only what is set.
    """
    destination = _get(spec, 'requested_destination')
    # Its root_required and root_forbidden are no fields but properties.
    params = _get(spec, 'request_level_params')
    facts = {
        'required_traits': sorted(_get(params, 'root_required') or ()),
        'forbidden_traits': sorted(_get(params, 'root_forbidden') or ()),
        'aggregates': list(_get(destination, 'aggregates') or ()),
        'forbidden_aggregates': sorted(
            _get(destination, 'forbidden_aggregates') or ()
        ),
    }
    return {name: value for name, value in facts.items() if value}


@best_effort
def log_request(context: Any, spec: Any, filter_properties: Any) -> None:
    """Log context, request spec and hints, if ``log_requests`` is on."""
    if not options.CONF.nova_ext.log_requests:
        return
    caller = {**context.to_dict(), 'service_catalog': SECRET}
    for name, value in (
        ('context', caller), ('request_spec', spec.obj_to_primitive()),
        ('filter_properties', filter_properties or {}),
    ):
        LOG.info('%s = %s', name, mask(str(mask_passwords(value))))


def _requested(spec: Any, field: str) -> str:
    return _get(_get(spec, 'requested_destination'), field) or ''


def _get(obj: Any, field: str) -> Any:
    """Return a field of a Nova object; None where it is not set."""
    return getattr(obj, field) if obj is not None and field in obj else None


@cache
def _versions() -> dict[str, str]:
    return {
        'nova': metadata.version('nova'),
        'nova_ext': metadata.version('nova-ext'),
    }
