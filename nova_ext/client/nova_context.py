"""A caller's context, as Nova sends it."""

from typing import Any

import oslo_messaging as messaging

#: What Nova's context holds and oslo.context's ``to_dict()`` leaves out or
#: names otherwise.
_NOVAS = (
    'user_id', 'project_id', 'is_admin', 'request_id', 'user_name',
    'project_name', 'is_admin_project', 'remote_address', 'timestamp',
    'quota_class', 'service_catalog',
)


class NovaContextSerializer(messaging.NoOpSerializer):
    """Sends contexts of oslo.context in Nova's form."""

    def serialize_context(self, ctxt: Any) -> dict[str, Any]:
        """Write a context.

        :param ctxt: of oslo.context, or of a subclass such as Nova's, whose
            own form is kept.
        """
        return {
            'read_deleted': 'no',
            **{name: getattr(ctxt, name, None) for name in _NOVAS},
            **ctxt.to_dict(),
        }
