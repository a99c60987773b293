"""Generate situations: clouds in which causes are planted at random."""

import random

from tests.truth.arrangements import Aggregate, Disabled, Down, Full
from tests.truth.ask import Boot, Flavor
from tests.truth.model import (
    HOSTS,
    PLACEMENT,
    Arrangement,
    Left,
    Situation,
    failed,
    placed,
)

#: Why placement leaves a host out, and what a reason says then.
_PLACEMENT = {
    'MEMORY_MB': ('MEMORY_MB',), 'DISK_GB': ('DISK_GB',), 'VCPU': ('VCPU',),
    'disabled': ('disabled',),
}
#: Filters, in the order in which they are enabled, and what a reason says.
_FILTERS = {
    'ComputeFilter': ('down',),
    'AggregateInstanceExtraSpecsFilter': ('ssd',),
    'AggregateMultiTenancyIsolation': ('project',),
    'AggregateTypeAffinityFilter': ('flavor',),
    'SpecifiedHostFilter': ('requested_host',),
}
FILTERS = tuple(_FILTERS)
_HINT = 'SpecifiedHostFilter'
_SPEC = 'AggregateInstanceExtraSpecsFilter'


def generate(seed: str) -> Situation:
    """Return the situation of a seed."""
    chance = random.Random(seed)  # noqa: S311  not a secret
    common = chance.sample(
        [*_PLACEMENT, *_FILTERS], chance.randint(1, 4)
    )
    #: The share of hosts that have a common cause; 1: nothing is left.
    share = chance.choice((0.3, 0.7, 1.0))
    planted: dict[str, set[str]] = {
        host: {
            cause for cause in common if chance.random() < share
        } | ({chance.choice([*_PLACEMENT, 'ComputeFilter'])}
             if chance.random() < 0.1 else set())
        for host in HOSTS
    }
    if share == 1.0:
        for host in HOSTS:
            planted[host] |= {chance.choice(common)}
    if all(_HINT in causes for causes in planted.values()):
        target = 'c99'
    else:
        target = _plant_hint(planted, chance)
    left = [
        Left(stage, host, causes) for host in HOSTS
        for stage, causes in [_find_stage(planted[host])] if stage
    ]
    extra = {'aggregate_instance_extra_specs:ssd': 'true'}
    has_spec = any(_SPEC in causes for causes in planted.values())
    has_hint = any(_HINT in causes for causes in planted.values())
    return Situation(
        f'generated: {seed}', Boot(
            Flavor(extra=extra if has_spec else {}), image='cirros',
            hints={'requested_host': target} if has_hint else {},
        ),
        failed(*left) if len(left) == len(HOSTS) else placed(*left),
        _arrange(planted),
        unseen=all(part.stage == PLACEMENT for part in left),
    )


def _plant_hint(
    planted: dict[str, set[str]], chance: random.Random
) -> str:
    """Let the hint name one host, if it is to reject any; return its name."""
    if not any(_HINT in causes for causes in planted.values()):
        return ''
    target = chance.choice([
        host for host in HOSTS if _HINT not in planted[host]
    ])
    for host in HOSTS:
        if host != target:
            planted[host].add(_HINT)
    return target


def _find_stage(causes: set[str]) -> tuple[str, tuple[str, ...]]:
    """Return where a host leaves, and why; nowhere: it passes."""
    if lacks := [name for name in _PLACEMENT if name in causes]:
        words = [word for name in lacks for word in _PLACEMENT[name]]
        return PLACEMENT, tuple(words)
    for name, words in _FILTERS.items():
        if name in causes:
            return name, words
    return '', ()


def _arrange(planted: dict[str, set[str]]) -> tuple[Arrangement, ...]:
    """Return what makes each host leave where it is to."""
    def find(cause: str) -> str:
        return ' '.join(
            host for host in HOSTS if cause in planted[host]
        )

    arrangements: list[Arrangement] = []
    for resource in ('MEMORY_MB', 'DISK_GB', 'VCPU'):
        if names := find(resource):
            arrangements.append(Full(names, resource))
    if names := find(_SPEC):
        rest = ' '.join(host for host in HOSTS if host not in names.split())
        arrangements.append(Aggregate('fast', rest, {'ssd': 'true'}))
    if names := find('AggregateMultiTenancyIsolation'):
        arrangements.append(
            Aggregate('acme', names, {'filter_tenant_id': 'f' * 32})
        )
    if names := find('AggregateTypeAffinityFilter'):
        arrangements.append(
            Aggregate('big', names, {'instance_type': 'big.only'})
        )
    if names := find('disabled'):
        arrangements.append(Disabled(names))
    if names := find('ComputeFilter'):
        arrangements.append(Down(names))
    return tuple(arrangements)
