"""Define what clients and schedulers send: topics, versions, contexts."""

from typing import Any

import oslo_messaging as messaging
from oslo_config import cfg

#: Nova's exchange on the message bus.
EXCHANGE = 'nova'

#: The topic of nova-ext-scheduler alone. Workers of a stock nova-scheduler
#: would take messages from Nova's own topic in turn, and refuse them.
TOPIC = 'nova_ext_scheduler'

#: Version of what a scheduler of this nova-ext serves on it. The number
#: after the dot grows with each method or optional argument that is added.
VERSION = '1.6'

#: The version that brought each method. A client requires no later one, so
#: that every scheduler that has the method answers.
SINCE = {
    'schedule': '1.0',
    'update_service_capabilities': '1.0',
    'update_resource_stats': '1.0',
    'required_stats': '1.0',
    'simulate': '1.1',
    'capacity': '1.1',
    'in_force': '1.2',
    'diagnose': '1.3',
    'service_capabilities': '1.4',
    # Before, it returned one fingerprint, and offers did not expire.
    'offers_honoured': '1.4',
    'mirror_states': '1.5',
    'report_mirror': '1.5',
    'set_mirror': '1.5',
    'take_mirror_report': '1.5',
    'take_claims': '1.6',
}

#: Nova's topic, and a version in which every Nova since Kilo takes the
#: legacy form of select_destinations.
NOVA_TOPIC = 'scheduler'
NOVA_VERSION = '4.0'

#: Fields of Nova's context that oslo.context's ``to_dict()`` leaves out or
#: names otherwise.
_NOVA_FIELDS = (
    'user_id', 'project_id', 'is_admin', 'request_id', 'user_name',
    'project_name', 'is_admin_project', 'remote_address', 'timestamp',
    'quota_class', 'service_catalog',
)


def find_exchange() -> str:
    """Return the exchange of Nova's services, whose files CONF has read.

    Call it once there is a transport, which declares the option. Its own
    default is another one than Nova's.
    """
    location = cfg.CONF.get_location('control_exchange')
    if location is not None and location.location.is_user_controlled:
        return str(cfg.CONF.control_exchange)
    return EXCHANGE


class NovaContextSerializer(messaging.NoOpSerializer):
    """Send contexts of oslo.context in Nova's form."""

    def serialize_context(self, ctxt: Any) -> dict[str, Any]:
        """Return a context as plain data.

        :param ctxt: of oslo.context, or of a subclass such as Nova's, whose
            own form is kept.
        """
        return {
            'read_deleted': 'no',
            **{name: getattr(ctxt, name, None) for name in _NOVA_FIELDS},
            **ctxt.to_dict(),
        }
