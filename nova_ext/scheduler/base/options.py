"""nova-ext's options in Nova's configuration."""

from collections.abc import Mapping
from typing import Any

import nova.conf

from nova_ext import conf
from nova_ext.core.extension import Extension

CONF = nova.conf.CONF
conf.register_opts(CONF)


def of(extension: type[Extension]) -> Mapping[str, Any]:
    """The values of the group that an extension names.

    A group that nobody registered gives none: an extension of another
    package may read its options by its own means.
    """
    group = extension.option_group
    if group is None or group not in CONF:
        return {}
    return dict(CONF[group])
