from nova.openstack.common import log as logging
from nova.scheduler import filters
import nova.volume.cinder as brick

LOG = logging.getLogger(__name__)


class SameWithVolumeHostFilter(filters.BaseHostFilter):
    """Schedule the server to the host of a volume."""
    hint_name = 'same_host_volume_id'

    def host_passes(self, host_state, filter_properties):
        scheduler_hints = filter_properties['scheduler_hints']
        volume_id = scheduler_hints.get(self.hint_name, False)
        if not volume_id:
            return True
        volume = brick.cinderclient(None).volumes.get(volume_id)
        return host_state.host == getattr(volume, 'os-vol-host-attr:host')
