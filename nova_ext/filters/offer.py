"""Bind a request to the host that was offered to it before.

``nova_ext.core.base.offer_signature`` says what an offer is.
"""

import time
from dataclasses import dataclass

from nova_ext.core.base import offer_signature
from nova_ext.core.base.offer_signature import HINT
from nova_ext.plugin import (
    PASS,
    Audience,
    Filter,
    HostState,
    Operation,
    RequestSpec,
    Verdict,
    get_hint_values,
    get_operation,
    reject,
)


@dataclass(frozen=True)
class Offered:
    """Hold the offer that a request came with, and what it is a code over.

    :param expires_at: from when on it is refused; see :func:`read_expiry`.
    """

    offer: str
    request_id: str
    project_id: str
    expires_at: int


class OfferFilter(Filter):
    """Pass only the host that was offered to the request.

    Hint: ``nova_ext_offer``, which a scheduler makes for one request and one
    host, for schedule_run_instance or for a zone that asks for offers. It
    binds the first boot alone, and needs no policy: the scheduler itself
    chose.
    """

    option_group = 'nova_ext_offers'
    once_per_request = True
    hints = ('nova_ext_offer',)
    reasons_for = Audience.MEMBERS

    def prepare(self, request: RequestSpec) -> Verdict | Offered:
        """Return the offer; pass all hosts of a request without one."""
        hinted = get_hint_values(request, HINT)
        if not hinted or get_operation(request) is not Operation.FIRST_BOOT:
            return PASS
        if not self.options['secret']:
            return reject('an offer needs [nova_ext_offers] secret')
        request_id = self.facts.get_global_request_id(request)
        if not request_id:
            return reject(
                'no X-OpenStack-Request-ID arrived with the boot, to which '
                'the offer is bound: a proxy may remove the header'
            )
        offer = hinted[0] if len(hinted) == 1 else ''
        expires_at = offer_signature.read_expiry(offer)
        if expires_at is not None and expires_at <= time.time():
            return reject('the offer has expired')
        return Offered(offer, request_id, request.project_id, expires_at or 0)

    def check(self, host: HostState, offered: Offered) -> Verdict:
        """Reject every host but the offered one."""
        if offer_signature.matches(
            offered.offer, self.options['secret'], offered.request_id,
            offered.project_id, host.host, host.nodename, offered.expires_at,
        ):
            return PASS
        return reject('the offer is of another host, or to another request')

