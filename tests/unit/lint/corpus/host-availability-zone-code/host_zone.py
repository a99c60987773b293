from nova import availability_zones
from nova import db
from nova.scheduler import filters


class HostAvailabilityZoneFilter(filters.BaseHostFilter):
    """Keep resizes within the zone of the server's host."""
    run_filter_once_per_request = True

    def host_passes(self, host_state, filter_properties):
        spec = filter_properties.get('request_spec', {})
        host = spec.get('instance_properties', {}).get('host')
        if not host:
            return True
        context = filter_properties['context'].elevated()
        metadata = db.aggregate_metadata_get_by_host(context, host_state.host)
        return availability_zones.get_host_availability_zone(
            context, host) in metadata.get('availability_zone', ())
