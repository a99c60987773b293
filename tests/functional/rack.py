"""A filter of somebody else's, whose reasons name hosts."""

from nova_ext.plugin import PASS, Filter, reject


class RackFilter(Filter):
    """Reject the hosts that the hint ``rack`` spells in some way."""

    def check(self, host, request):
        """Name the host as the hint would have it."""
        (form,) = (request.scheduler_hints or {}).get('rack', ('',))
        return reject(getattr(
            f'{host.host} is in rack_{host.host}.example.org', form
        )()) if form else PASS
