"""Check that every scheduler reads offers before one is made.

Nova's conductor asks any scheduler. One that does not know the hint would
ignore it without a word.
"""

from typing import Any

import oslo_messaging as messaging
from nova import context as nova_context
from nova import objects, rpc, servicegroup

from nova_ext.client import wire
from nova_ext.core.base.scheduling_errors import NotHonouredError
from nova_ext.scheduler.base import options
from nova_ext.scheduler.facts import cells

#: Seconds in which a scheduler that is up answers.
_TIMEOUT_S = 5


def check_schedulers(context: Any, here: list[str]) -> None:
    """Ask every scheduler that is up whether it reads offers of this one.

    :param here: the fingerprints of this one, that which signs first.
    :raises NotHonouredError: naming one that would ignore an offer.
    """
    if not here:
        raise NotHonouredError(
            f'the scheduler on {options.CONF.host} honours no offers: enable '
            f'OfferFilter, and set [nova_ext_offers] secret'
        )
    client = rpc.get_client(messaging.Target(
        topic=wire.TOPIC, version=wire.VERSION
    ))
    for host in _list_other_schedulers():
        prepared = client.prepare(server=host, timeout=_TIMEOUT_S)
        try:
            there = prepared.call(context, 'offers_honoured')
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
        if here[0] not in there:
            raise NotHonouredError(
                f'the scheduler on {host} honours no offers of this one: '
                f'enable OfferFilter, and have it accept the first '
                f'[nova_ext_offers] secret of the scheduler on '
                f'{options.CONF.host}'
            )


def _list_other_schedulers() -> list[str]:
    """List the hosts of all other schedulers that are up.

    :raises NotHonouredError: where a cell does not answer: it may have a
        stock one.
    """
    group = servicegroup.API()
    with cells.use_admin_context() as admin:
        services_by_cell = nova_context.scatter_gather_all_cells(
            admin, objects.ServiceList.get_by_binary, 'nova-scheduler'
        )
    for cell, services in services_by_cell.items():
        if nova_context.is_cell_failure_sentinel(services):
            raise NotHonouredError(
                f'the database of cell {cell} does not tell which schedulers '
                f'there are: one of them may ignore which host was chosen'
            )
    return sorted({
        service.host
        for services in services_by_cell.values() for service in services
        if service.host != options.CONF.host and group.service_is_up(service)
    })
