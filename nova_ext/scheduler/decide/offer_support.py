"""Whether every scheduler that may be asked would honour an offer.

Nova's conductor asks any scheduler, and one that does not know the hint would
ignore it without a word.
"""

from typing import Any

import oslo_messaging as messaging
from nova import context as nova_context
from nova import objects, rpc, servicegroup

from nova_ext.client import wire
from nova_ext.core.base.scheduling_errors import NotHonouredError
from nova_ext.core.rpc import offers
from nova_ext.scheduler.base import options
from nova_ext.scheduler.facts import admin_context

#: Seconds in which a scheduler answers that one is there.
_TIMEOUT_S = 5


def fingerprint(host_manager: Any) -> str:
    """That of this scheduler's secret; '' where it honours no offers.

    :param host_manager: Nova's, with its filters.
    """
    secret = options.CONF.nova_ext_offers.secret
    enabled = {type(one).__name__ for one in host_manager.enabled_filters}
    return offers.fingerprint(secret) if (
        secret and 'OfferFilter' in enabled
    ) else ''


def require(context: Any, here: str) -> None:
    """Ask every scheduler that is up.

    :param context: the caller's.
    :param here: the fingerprint of this one.
    :raises NotHonouredError: naming one that would ignore an offer.
    """
    if not here:
        raise NotHonouredError(
            f'the scheduler on {options.CONF.host} honours no offers: enable '
            f'OfferFilter, and set [nova_ext_offers] secret'
        )
    client = rpc.get_client(messaging.Target(
        topic=wire.TOPIC, version=wire.SINCE['offers_honoured']
    ))
    for host in _others():
        asked = client.prepare(server=host, timeout=_TIMEOUT_S)
        try:
            there = asked.call(context, 'offers_honoured')
        except messaging.MessagingTimeout:
            raise NotHonouredError(
                f'the scheduler on {host} is a stock nova-scheduler, or does '
                f'not answer: it would ignore which host was chosen'
            ) from None
        except messaging.MessagingException as error:
            raise NotHonouredError(
                f'the scheduler on {host} can\'t say that it honours offers '
                f'({type(error).__name__}); it may be older'
            ) from None
        if there != here:
            raise NotHonouredError(
                f'the scheduler on {host} honours no offers of this one: '
                f'enable OfferFilter, and give both the same '
                f'[nova_ext_offers] secret'
            )


def _others() -> list[str]:
    """Hosts of all other schedulers that are up.

    :raises NotHonouredError: where a cell does not tell, in which a stock
        one may be.
    """
    group = servicegroup.API()
    with admin_context.context() as admin:
        found = nova_context.scatter_gather_all_cells(
            admin, objects.ServiceList.get_by_binary, 'nova-scheduler'
        )
    for cell, services in found.items():
        if nova_context.is_cell_failure_sentinel(services):
            raise NotHonouredError(
                f'the database of cell {cell} does not tell which schedulers '
                f'there are: one of them may ignore which host was chosen'
            )
    return sorted({
        service.host for services in found.values() for service in services
        if service.host != options.CONF.host and group.service_is_up(service)
    })
