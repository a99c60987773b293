"""Filters of a site."""
from nova.scheduler import filters
from nova.scheduler import weights


class OneArgument(filters.BaseHostFilter):
    def host_passes(self, host_state):
        return True


class Waits(filters.BaseHostFilter):
    async def host_passes(self, host_state, spec_obj):
        return True


class Misspelt(filters.BaseHostFilter):
    def host_pass(self, host_state, spec_obj):
        return True


class Limited(filters.BaseHostFilter):
    def __init__(self, limit):
        self.limit = limit

    def host_passes(self, host_state, spec_obj, *, strict=False):
        return True

    def filter_all(self, hosts, spec, *more):
        return hosts


class Bare:
    def host_passes(self, host_state, spec_obj): return True

class RackWeigher(weights.BaseHostWeigher):
    def weight_multiplier(self):
        return 1.0

    def _weigh_object(self, host_state, weight_properties):
        return 1.0


class Strict(filters.BaseHostFilter):
    def host_passes(self, host_state, spec_obj, *, strict):
        return True
