from nova.scheduler import filters


class AcmeFilter(filters.BaseHostFilter):

    def host_passes(self, host_state, spec_obj):
        wanted = spec_obj.flavor.extra_specs.get('acme:foo')
        return wanted is None or wanted in host_state.host
