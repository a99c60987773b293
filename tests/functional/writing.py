"""Filters of somebody else's that write what the mirror's plugins share."""

from nova.scheduler import filters


class HidingFilter(filters.BaseHostFilter):
    """Hide memory of one host from the weighers."""

    def host_passes(self, host_state, spec_obj):
        """Pass each host; the hint ``hide`` names the one to hide."""
        if [host_state.host] == spec_obj.scheduler_hints.get('hide'):
            host_state.free_ram_mb -= 4096
        return True


class RackHintFilter(filters.BaseHostFilter):
    """Add a hint that a later filter reads."""

    def host_passes(self, host_state, spec_obj):
        """Pass each host; add the hint where ``rack`` is there."""
        if 'rack' in spec_obj.scheduler_hints:
            spec_obj.scheduler_hints['requested_host'] = ['cmp-2']
        return True
