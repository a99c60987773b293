"""Where schedulers listen, and in what versions they are spoken to."""

#: Nova's exchange on the message bus.
EXCHANGE = 'nova'

#: The topic of nova-ext-scheduler alone. Workers of a stock nova-scheduler
#: would take messages from Nova's own topic in turn, and refuse them.
TOPIC = 'nova_ext_scheduler'

#: Version of what is said on it. The number after the dot grows with each
#: method or optional argument that is added.
#:
#: * 1.0: ``schedule``, ``update_service_capabilities``
VERSION = '1.0'

#: Nova's topic, and a version in which every Nova since Kilo takes the
#: legacy form of select_destinations.
NOVA_TOPIC = 'scheduler'
NOVA_VERSION = '4.0'
