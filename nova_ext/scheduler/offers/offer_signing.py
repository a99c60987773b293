"""Sign offers with this scheduler's secret."""

import time

from nova_ext.core.base import offer_signature
from nova_ext.scheduler.base import options

options.register('nova_ext_offers')


def sign(
    request_id: str, project_id: str, host: str, nodename: str,
    expires_at: int,
) -> str:
    """Return the offer of a host to a request; see ``sign``."""
    return offer_signature.sign(
        options.CONF.nova_ext_offers.secret[0], request_id, project_id, host,
        nodename, expires_at,
    )


def compute_expiry() -> int:
    """Return when an offer of now expires, in seconds since 1970, UTC."""
    return int(time.time()) + options.CONF.nova_ext_offers.lifetime_s
