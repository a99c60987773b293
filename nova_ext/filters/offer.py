"""OfferFilter: the host that was chosen before the server was created."""

from nova_ext.core.extension import (
    PASS,
    Filter,
    HostState,
    Operation,
    RequestSpec,
    Verdict,
    get_operation,
    hint_values,
    reject,
)
from nova_ext.core.rpc import offers


class OfferFilter(Filter):
    """Pass only the host that the request was offered.

    Hint: ``nova_ext_offer``, which schedule_run_instance makes for one
    request and one host. Whoever copies it has nothing of it. It binds the
    first boot alone, and needs no policy: the scheduler itself chose.
    """

    option_group = 'nova_ext_offers'
    hints = ('nova_ext_offer',)

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject every host but the offered one."""
        given = hint_values(request, offers.HINT)
        if not given or get_operation(request) is not Operation.FIRST_BOOT:
            return PASS
        secret = self.options['secret']
        if not secret:
            return reject('an offer needs [nova_ext_offers] secret')
        made = offers.offer(
            secret, self.facts.global_request_id(request) or '',
            request.project_id, host.host, host.nodename,
        )
        if len(given) == 1 and offers.same(given[0], made):
            return PASS
        return reject('the offer is of another host, or to another request')
