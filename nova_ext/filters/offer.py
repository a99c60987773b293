"""Bind a request to the host that was offered to it before.

``nova_ext.core.base.offer_signature`` says what an offer is.
"""

import time
from collections.abc import Sequence

from nova_ext.core.base import offer_signature
from nova_ext.core.base.offer_signature import HINT
from nova_ext.core.extension import (
    PASS,
    Columns,
    Filter,
    HostState,
    Operation,
    RequestSpec,
    Verdict,
    get_hint_values,
    get_operation,
    reject,
)


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

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject every host but the offered one, and that one when late."""
        if not self._binds(request):
            return PASS
        hinted = get_hint_values(request, HINT)
        secrets = self.options['secret']
        if not secrets:
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
        # No generator: each secret takes its time, whether it fits or not.
        fitting = [
            offer_signature.is_equal(offer, offer_signature.sign(
                secret, request_id, request.project_id, host.host,
                host.nodename, expires_at or 0,
            )) for secret in secrets
        ]
        if any(fitting):
            return PASS
        return reject('the offer is of another host, or to another request')

    def check_all(
        self, hosts: Columns, request: RequestSpec
    ) -> Sequence[Verdict]:
        """Pass all hosts of a request without an offer."""
        if not self._binds(request):
            return [PASS] * len(hosts)
        return super().check_all(hosts, request)

    def _binds(self, request: RequestSpec) -> bool:
        return bool(get_hint_values(request, HINT)) and (
            get_operation(request) is Operation.FIRST_BOOT
        )
