"""Define what clients and schedulers send: topics, versions, contexts."""

from typing import Any

import oslo_messaging as messaging
from oslo_config import cfg

#: Nova's exchange on the message bus.
EXCHANGE = 'nova'

#: The topic of nova-ext-scheduler alone. Workers of a stock nova-scheduler
#: would take messages from Nova's own topic in turn, and refuse them.
TOPIC = 'nova_ext_scheduler'

#: Version of what a scheduler serves on it. The number after the dot grows
#: with each method or optional argument that is added after a release.
VERSION = '1.0'

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
