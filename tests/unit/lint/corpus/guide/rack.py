from nova.scheduler import filters


class RackFilter(filters.BaseHostFilter):
    def host_passes(self, host_state, filter_properties):
        hints = filter_properties.get('scheduler_hints', {})
        return host_state.host.startswith(hints.get('rack', ''))
