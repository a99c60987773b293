import requests
from nova.scheduler import filters

from cmdb.names import Named


class RackFilter(Named, filters.BaseHostFilter):
    hints = ('rack',)

    def __init__(self):
        self.client = requests.Session()

    def host_passes(self, host_state, spec_obj):
        return self._rack(host_state) == spec_obj.get_scheduler_hint('rack')

    def _rack(self, host_state):
        name = self.named(host_state.host)
        # One request a host.
        return self.client.get(f'http://cmdb/{name}').text

    def unused(self):
        return requests.get('http://cmdb/').text
