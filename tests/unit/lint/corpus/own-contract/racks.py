from nova_ext.core.request import scheduler_hints as hints
from nova_ext.plugin import PASS, Filter, reject


class RackFilter(Filter):
    hints = ('rack',)

    def check(self, host, request):
        wanted = hints.values(request, 'rack')
        return PASS if host.host in wanted else reject('another rack')
