"""Measure a plugin that is named on the command line."""

import contextlib
import importlib.util
import logging
import os
import random
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext import testing
from nova_ext.bench import profiling, timing
from nova_ext.bench.plugin import Plugin, find
from nova_ext.bench.timing import Contender, TimedCall
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.extension import Extension
from nova_ext.core.plugin import evaluation

_MOST_PARTS = 8


@dataclass(frozen=True)
class Request:
    """Represent what the hosts are filtered and weighed for.

    :param hints: scheduler hints.
    :param extra_specs: extra specs of the flavor.
    """

    hints: Mapping[str, list[str]]
    extra_specs: Mapping[str, str]


@dataclass(frozen=True)
class Measurement:
    """Represent the timings of a plugin.

    :param name: the name of its class.
    :param has_nova: False where Nova is not installed.
    :param timings: by number of hosts; in each the plugin first, then
        Nova's own.
    :param parts: functions of the plugin that take the time.
    """

    name: str
    has_nova: bool
    timings: Sequence[timing.Timing]
    parts: Sequence[profiling.Part]


def measure(
    word: str, sizes: Sequence[int], rounds: int, against: Sequence[str],
    request: Request, progress: Progress,
) -> Measurement:
    """Measure a plugin, and Nova's own where Nova is installed.

    :param word: what :func:`nova_ext.bench.plugin.find` takes.
    :param sizes: numbers of hosts.
    :param rounds: how often each is timed.
    :param against: names of Nova's filters or weighers; none: its defaults.
    :raises NovaExtError: for a plugin that is not there, or raises.
    """
    plugin = find(word)
    has_nova = importlib.util.find_spec('nova') is not None
    with _logging_to_nowhere():
        if has_nova:
            hosts, bare, contenders = _load_nova(
                plugin, max(sizes), against, request, progress
            )
        else:
            hosts = _make_hosts(max(sizes))
            flavor = testing.FakeFlavor(extra_specs=request.extra_specs)
            bare = _call_bare(
                plugin,
                testing.make_request(dict(request.hints), flavor=flavor),
                testing.make_context(),
            )
            contenders = [bare]
        with progress.step(f'looking into {plugin.name}'):
            parts = _profile(bare, hosts)
        timings: list[timing.Timing] = []
        for size in sorted(sizes):
            with progress.step(f'measuring at {size} hosts'):
                timings += timing.compare(contenders, hosts[:size], rounds)
    return Measurement(plugin.name, has_nova, timings, parts)


def _load_nova(
    plugin: Plugin, count: int, against: Sequence[str], request: Request,
    progress: Progress,
) -> tuple[list[Any], Contender, list[Contender]]:
    """Return Nova's hosts, the bare plugin, and all as the scheduler has them.

    A plugin of Nova's kind has no bare form, and a driver no other.
    """
    with progress.step('loading Nova'), warnings.catch_warnings():
        # The warnings are about Nova's libraries, not about the plugin.
        warnings.simplefilter('ignore')
        from nova_ext.bench import nova_hosts

        nova_hosts.prepare()
    spec = nova_hosts.make_request(request.hints, request.extra_specs)
    rivals = nova_hosts.load_rivals(plugin.kind, against, spec)
    if plugin.kind == 'driver':
        loaded = bare = _call_bare(plugin, spec, nova_hosts.make_context())
    else:
        loaded = bare = nova_hosts.as_loaded(plugin, spec)
        if issubclass(plugin.cls, Extension):
            bare = _call_bare(plugin, spec, nova_hosts.make_context())
    with progress.step(f'making {count} hosts'):
        hosts = nova_hosts.make_hosts(count)
    return hosts, bare, [loaded, *rivals]


def _make_hosts(count: int) -> list[Any]:
    """Return hosts that differ, the same ones at every call."""
    dice = random.Random(0)  # noqa: S311  no secret
    return [
        testing.make_host(
            f'cmp-{n}', vcpus_used=dice.randrange(8),
            free_ram_mb=dice.randrange(16384),
            free_disk_mb=dice.randrange(102400),
            num_instances=dice.randrange(50), num_io_ops=dice.randrange(8),
        )
        for n in range(count)
    ]


def _call_bare(plugin: Plugin, request: Any, context: Any) -> Contender:
    """Return what calls one of our plugins, with nothing of Nova around it.

    :raises NovaExtError: for one that does not start.
    """
    instance = plugin.start()

    def make_call(hosts: list[Any]) -> TimedCall:
        if plugin.kind == 'driver':
            return lambda: instance.rank(hosts, request, context)
        evaluate = (
            evaluation.check_each if plugin.kind == 'filter'
            else evaluation.weigh_each
        )
        return lambda: evaluate(instance, hosts, request)

    return Contender(plugin.name, make_call)


def _profile(bare: Contender, hosts: list[Any]) -> list[profiling.Part]:
    try:
        return profiling.find_slowest(
            bare.make_call(hosts), len(hosts), _MOST_PARTS
        )
    except Exception as error:
        raise NovaExtError(
            f'{bare.name} raised {type(error).__name__}: {error}'
        ) from error


@contextlib.contextmanager
def _logging_to_nowhere() -> Iterator[None]:
    """Have log lines cost what they cost a scheduler at INFO, unread."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    with open(os.devnull, 'w') as nowhere:  # noqa: PTH123  no file
        root.handlers = [logging.StreamHandler(nowhere)]
        root.setLevel(logging.INFO)
        try:
            yield
        finally:
            root.handlers = handlers
            root.setLevel(level)
