"""Where schedulers listen, and in what versions they are spoken to."""

#: Nova's exchange on the message bus.
EXCHANGE = 'nova'

#: The topic of nova-ext-scheduler alone. Workers of a stock nova-scheduler
#: would take messages from Nova's own topic in turn, and refuse them.
TOPIC = 'nova_ext_scheduler'

#: Version of what a scheduler of this nova-ext serves on it. The number
#: after the dot grows with each method or optional argument that is added.
VERSION = '1.2'

#: The version that brought each method. A client asks for no later one, so
#: that every scheduler that has the method answers.
SINCE = {
    'schedule': '1.0',
    'update_service_capabilities': '1.0',
    'update_resource_stats': '1.0',
    'required_stats': '1.0',
    'offers_honoured': '1.1',
    'simulate': '1.1',
    'capacity': '1.1',
    'in_force': '1.2',
}

#: Nova's topic, and a version in which every Nova since Kilo takes the
#: legacy form of select_destinations.
NOVA_TOPIC = 'scheduler'
NOVA_VERSION = '4.0'
