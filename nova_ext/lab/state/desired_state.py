"""Derive the state that an ``up`` leads to from the one before."""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

from nova_ext.lab.state import hosts, lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost
from nova_ext.lab.state.lab_state import Settings, State
from nova_ext.lab.state.zone import Zone

_OPTION = re.compile(r'[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+')


@dataclasses.dataclass(frozen=True)
class LabChanges:
    """Hold the arguments of an ``up``; None and empty change nothing.

    :param hosts: all fake computes.
    :param settings: options of nova.conf.
    :param unset: options to forget, as ``GROUP.OPTION``.
    :param stock: whether every scheduler is Nova's own.
    :param broker: one of lab_state.BROKERS.
    :param schedulers: how many schedulers.
    :param stock_schedulers: how many of them are Nova's own.
    :param zone: its place among zones.
    """

    hosts: Sequence[LabHost] | None = None
    settings: Settings = dataclasses.field(default_factory=dict)
    unset: Sequence[str] = ()
    stock: bool | None = None
    broker: str | None = None
    schedulers: int | None = None
    stock_schedulers: int | None = None
    zone: Zone | None = None

    def apply_to(self, lab: str, before: State | None) -> State:
        """Return the state that the ``up`` leads to.

        :param lab: the lab's name.
        :param before: the lab's; None for one that never came up.
        :raises LabError: when the lab can't change so.
        """
        if before is None:
            before = lab_state.create([
                LabHost(name) for name in hosts.DEFAULT
            ])
        elif self.hosts is not None:
            whole = before.zone.labs[0] if before.zone else lab
            _refuse_changes(whole, before.hosts, self.hosts)
        schedulers = self._schedulers(before)
        stock_schedulers = self._stock_schedulers(before, schedulers)
        zone = self.zone or before.zone
        if zone and stock_schedulers:
            raise LabError(
                'a zone makes offers with nova-ext-scheduler alone: leave out '
                '--stock and --stock-schedulers'
            )
        return dataclasses.replace(
            before,
            hosts=list(before.hosts if self.hosts is None else self.hosts),
            settings=merge_settings(
                before.settings, self.settings, self.unset
            ),
            broker=self.broker or before.broker,
            schedulers=schedulers,
            stock_schedulers=stock_schedulers, zone=zone,
            processes=dict(before.processes), ports=dict(before.ports),
            passwords=dict(before.passwords),
        )

    def _schedulers(self, before: State) -> int:
        if (self.broker or before.broker) == lab_state.NONE:
            for option in ('schedulers', 'stock_schedulers'):
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


def _refuse_changes(
    lab: str, before: Sequence[LabHost], after: Sequence[LabHost]
) -> None:
    """Refuse what a lab's hosts can't become.

    :param lab: its name; of several zones the first one's, as none of them
        is deleted alone.
    """
    anew = f'"nova-ext lab delete --name {lab}" first, to begin anew'
    names = {host.name: host for host in after}
    for host in before:
        if host.name not in names:
            raise LabError(
                f'--computes leaves out {host.name}: computes can only be '
                f'added; {anew}'
            )
        if names[host.name].az != host.az:
            raise LabError(
                f'--computes: {host.name} can\'t change its az; {anew}'
            )


def parse_settings(words: Iterable[str]) -> Settings:
    """Parse the words behind ``--set``; a repeated option has many values.

    :raises LabError: for a word of another form.
    """
    settings: Settings = {}
    for word in words:
        name, equals, value = word.partition('=')
        if not equals or '\n' in value:
            raise LabError(f'--set {word}: write GROUP.OPTION=VALUE')
        option = _parse_option('--set', name.strip())
        settings.setdefault(option, []).append(value.strip())
    return settings


def merge_settings(
    before: Mapping[str, list[str]], changed: Mapping[str, list[str]],
    unset: Iterable[str],
) -> Settings:
    """Return the settings after an ``up``.

    :param before: what earlier commands set.
    :param changed: replaces the values before, option by option.
    :param unset: options to forget.
    :raises LabError: for an unset option of a wrong form.
    """
    names = {_parse_option('--unset', name) for name in unset}
    return {
        name: list(values)
        for name, values in {**before, **changed}.items()
        if name not in names
    }


def _parse_option(flag: str, name: str) -> str:
    if not _OPTION.fullmatch(name):
        raise LabError(
            f'{flag} {name}: name the option as GROUP.OPTION, '
            'for instance DEFAULT.debug'
        )
    group, _, option = name.partition('.')
    return f'{group}.{option.replace("-", "_")}'
