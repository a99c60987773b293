"""What a scheduler would decide, worked out beside it in a process of our own.

A stock nova-scheduler answers no questions. Whoever may read its
configuration asks the same databases and the same placement as it does, with
the same filters and weighers, and serves nothing.
"""

import logging
from collections.abc import Sequence
from typing import Any

from nova import config, context, objects
from nova.scheduler import host_manager
from oslo_config import cfg

from nova_ext.conf import unreadable
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.scheduler.decide.deciding import DecidingManager
from nova_ext.scheduler.discovery import enabled
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.plugins import drivers
from nova_ext.scheduler.simulate.questions import WhatIf

#: The driver that decides as Nova does, whatever is configured for ours.
_AS_NOVA = 'FilterScheduler'


class Beside(DecidingManager):
    """Has what deciding needs; Nova's own set-up, which serves, is not run.

    :raises ConfigurationError: for a filter or weigher that can't be used.
    """

    def __init__(self) -> None:
        enabled.validate()
        self.drivers = drivers.load([_AS_NOVA], nova_facts.get())
        self.host_manager = host_manager.HostManager()


def simulate(
    config_files: Sequence[str], config_dirs: Sequence[str],
    caller: dict[str, Any], request: BootRequest, changes: Changes,
    ranked_hosts: int,
) -> Decision:
    """Decide a request as the scheduler would, and do nothing.

    Once in a process: Nova's configuration is its own.

    :param config_files: in place of those that nova-scheduler would find.
    :param config_dirs: in place of the folders that it would find.
    :param caller: ``user_id``, ``project_id`` and ``roles``.
    :raises NovaExtError: for a configuration that can't be used, or a
        request that Nova would refuse.
    """
    arguments = [
        word for option, values in (
            ('--config-file', config_files), ('--config-dir', config_dirs)
        ) for value in values for word in (option, value)
    ]
    # Nova tells its log what the decision tells, too.
    logging.disable(logging.WARNING)
    try:
        # Cells' connections are made of the message bus's, too.
        config.parse_args(['nova-ext', *arguments], prog='nova-scheduler')
    except cfg.Error as error:
        raise NovaExtError(
            f'the configuration can\'t be read: {unreadable.why(error)}'
        ) from None
    objects.register_all()
    try:
        return WhatIf(Beside()).simulate(
            context.RequestContext(**caller), request, changes, ranked_hosts
        )
    except NovaExtError:
        raise
    except Exception as error:
        raise NovaExtError(
            f'Nova\'s databases or placement can\'t be asked: '
            f'{type(error).__name__}: {" ".join(str(error).split())}'
        ) from error
