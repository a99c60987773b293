"""What a request holds, logged for people who write an extension."""

import logging
from typing import Any

from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import harmless
from nova_ext.scheduler.base.password_mask import masked

LOG = logging.getLogger(__name__)

_SECRET = '***'  # noqa: S105  what stands in a secret's place
#: Parts of a context that hold credentials, or only bulk.
_HIDDEN = ('auth_token', 'service_token', 'service_catalog')


@harmless
def log(context: Any, spec: Any, filter_properties: Any) -> None:
    """Log context and request spec with its hints, if ``log_requests`` is on.

    :param context: Nova's request context.
    :param spec: the request spec.
    :param filter_properties: the legacy form's; usually None.
    """
    if not options.CONF.nova_ext.log_requests:
        return
    who = {
        name: _SECRET if name in _HIDDEN and value else value
        for name, value in context.to_dict().items()
    }
    asked = {name: getattr(spec, name) for name in spec.fields if name in spec}
    for name, value in (
        ('context', who), ('request_spec', asked),
        ('filter_properties', filter_properties or {}),
    ):
        LOG.info('%s = %s', name, masked(value))
