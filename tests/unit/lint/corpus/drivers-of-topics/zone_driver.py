from nova_ext.core.extension import Driver


class ZoneDriver(Driver):
    topic = 'zone'
