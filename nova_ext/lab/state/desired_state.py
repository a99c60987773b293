"""What an ``up`` asks for, and the state that it leads to."""

import dataclasses
from collections.abc import Sequence

from nova_ext.lab.state import hosts, lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import Host
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.settings import Settings, merge

WORKERS = 'scheduler.workers'


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What an ``up`` asks for; None and empty leave things as they are.

    :param hosts: all fake computes.
    :param settings: options of nova.conf.
    :param unset: options to forget, as ``GROUP.OPTION``.
    :param stock: Nova's own scheduler, wherever there is one.
    :param broker: one of states.BROKERS.
    :param schedulers: how many schedulers.
    :param stock_schedulers: how many of them are Nova's own.
    :param workers: how many processes each of them has.
    """

    hosts: Sequence[Host] | None = None
    settings: Settings = dataclasses.field(default_factory=dict)
    unset: Sequence[str] = ()
    stock: bool | None = None
    broker: str | None = None
    schedulers: int | None = None
    stock_schedulers: int | None = None
    workers: int | None = None

    def after(self, before: State | None) -> State:
        """Return the state that the ``up`` leads to.

        :param before: the lab's; None for one that never came up.
        :raises LabError: when it can't lead there.
        """
        if before is None:
            before = lab_state.new([Host(name) for name in hosts.DEFAULT])
            first = True
        else:
            first = False
        if self.hosts is not None and not first:
            _refuse_changes(before.hosts, self.hosts)
        schedulers = self._schedulers(before)
        return dataclasses.replace(
            before,
            hosts=list(before.hosts if self.hosts is None else self.hosts),
            settings=merge(
                before.settings, self._all_settings(), self.unset
            ),
            broker=self.broker or before.broker,
            schedulers=schedulers,
            stock_schedulers=self._stock_schedulers(before, schedulers),
            processes=dict(before.processes), ports=dict(before.ports),
            passwords={**lab_state.passwords(), **before.passwords},
        )

    def _all_settings(self) -> Settings:
        if self.workers is None:
            return self.settings
        return {**self.settings, WORKERS: [str(self.workers)]}

    def _schedulers(self, before: State) -> int:
        if (self.broker or before.broker) == lab_state.NONE:
            for option in ('schedulers', 'stock_schedulers', 'workers'):
                if getattr(self, option) is not None:
                    raise LabError(
                        f'--{option.replace("_", "-")} needs processes '
                        'that a lab without a broker has not; add: '
                        '--broker rabbit'
                    )
            return 1
        return self.schedulers or before.schedulers

    def _stock_schedulers(self, before: State, schedulers: int) -> int:
        if self.stock_schedulers is not None:
            if self.stock_schedulers > schedulers:
                raise LabError(
                    f'--stock-schedulers {self.stock_schedulers}: the lab '
                    f'has {schedulers}; add: --schedulers '
                    f'{self.stock_schedulers}'
                )
            return self.stock_schedulers
        stock = before.stock if self.stock is None else self.stock
        if stock:
            return schedulers
        if self.stock is None:
            return min(before.stock_schedulers, schedulers - 1)
        return 0


def _refuse_changes(before: Sequence[Host], after: Sequence[Host]) -> None:
    names = {host.name: host for host in after}
    for host in before:
        if host.name not in names:
            raise LabError(
                f'--computes leaves out {host.name}: computes can only be '
                'added; "nova-ext lab delete" first, to begin anew'
            )
        if names[host.name].az != host.az:
            raise LabError(
                f'--computes: {host.name} can\'t change its az; '
                '"nova-ext lab delete" first, to begin anew'
            )
