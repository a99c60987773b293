from nova_ext.plugin import Driver


class ZoneDriver(Driver):
    topic = 'zone'
