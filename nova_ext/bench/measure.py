"""From a plugin's name to its figures."""

import contextlib
import importlib.util
import logging
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.bench import contender, doubles, plugin, slowest, timing
from nova_ext.bench.contender import Contender
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.extension import Extension
from nova_ext.testing import make_context

#: How many functions are told of.
_MOST_PARTS = 8


@dataclass(frozen=True)
class Request:
    """What the hosts are asked for.

    :param hints: scheduler hints.
    :param extra_specs: of the flavor.
    """

    hints: Mapping[str, list[str]]
    extra_specs: Mapping[str, str]


@dataclass(frozen=True)
class Measured:
    """What came of it.

    :param name: the plugin's.
    :param beside_nova: False where Nova is not installed.
    :param figures: by number of hosts; in each the plugin first, then
        Nova's own.
    :param parts: what in the plugin takes the time.
    """

    name: str
    beside_nova: bool
    figures: Sequence[timing.Figure]
    parts: Sequence[slowest.Part]


def measure(
    word: str, sizes: Sequence[int], rounds: int, against: Sequence[str],
    asked: Request, progress: Progress,
) -> Measured:
    """Measure a plugin, beside Nova's own where Nova is installed.

    :param word: what :func:`nova_ext.bench.plugin.find` takes.
    :param sizes: numbers of hosts.
    :param rounds: how often each is measured.
    :param against: names of Nova's; none: the usual ones.
    :raises NovaExtError: for a plugin that is not there, or raises.
    """
    found = plugin.find(word)
    beside_nova = importlib.util.find_spec('nova') is not None
    with _logging_to_nowhere():
        if beside_nova:
            hosts, alone, racing = _of_nova(
                found, max(sizes), against, asked, progress
            )
        else:
            hosts = doubles.hosts(max(sizes))
            alone = contender.bare(
                found, doubles.request(asked.hints, asked.extra_specs),
                make_context(),
            )
            racing = [alone]
        with progress.step(f'looking into {found.name}'):
            parts = _parts(alone, hosts)
        figures: list[timing.Figure] = []
        for size in sorted(sizes):
            with progress.step(f'measuring at {size} hosts'):
                figures += timing.race(racing, hosts[:size], rounds)
    return Measured(found.name, beside_nova, figures, parts)


def _of_nova(
    found: plugin.Plugin, count: int, against: Sequence[str], asked: Request,
    progress: Progress,
) -> tuple[list[Any], Contender, list[Contender]]:
    """Nova's hosts; the plugin on its own, and all as the scheduler has them.

    A plugin of Nova's kind has no own form, and drivers no other.
    """
    with progress.step('loading Nova'), warnings.catch_warnings():
        # What Nova's libraries warn each other of is not this plugin's.
        warnings.simplefilter('ignore')
        from nova_ext.bench import nova_hosts

        nova_hosts.prepare()
    spec = nova_hosts.request(asked.hints, asked.extra_specs)
    rivals = nova_hosts.rivals(found.kind, against, spec)
    if issubclass(found.cls, Extension):
        alone = contender.bare(found, spec, nova_hosts.context())
    else:
        alone = nova_hosts.as_loaded(found, spec)
    first = alone if found.kind == 'driver' else nova_hosts.as_loaded(found, spec)
    with progress.step(f'making {count} hosts'):
        hosts = nova_hosts.hosts(count)
    return hosts, alone, [first, *rivals]


def _parts(alone: Contender, hosts: list[Any]) -> list[slowest.Part]:
    try:
        return slowest.parts(alone.asking(hosts), len(hosts), _MOST_PARTS)
    except Exception as error:
        raise NovaExtError(
            f'{alone.name} raised {type(error).__name__}: {error}'
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
