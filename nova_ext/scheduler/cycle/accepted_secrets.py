"""Find the secrets whose offers a scheduler accepts."""

from typing import Any

from nova_ext.core.base import offer_signature
from nova_ext.scheduler.base import options


def list_fingerprints(host_manager: Any) -> list[str]:
    """Return the fingerprints of the secrets that this scheduler accepts.

    :param host_manager: Nova's, with the enabled filters.
    :returns: one for each secret, the signing secret's first; empty where
        OfferFilter is not enabled.
    """
    reads_offers = any(
        type(filter_).__name__ == 'OfferFilter'
        for filter_ in host_manager.enabled_filters
    )
    return [
        offer_signature.get_fingerprint(secret)
        for secret in options.CONF.nova_ext_offers.secret
    ] if reads_offers else []
