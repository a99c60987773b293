from nova.scheduler import filters

class PrintFilter(filters.BaseHostFilter):
    def host_passes(self, host_state, spec_obj):
        print 'asked'
        return True
