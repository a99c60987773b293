"""Know the options and installed plugins, and correct misspelt names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import metadata

from oslo_config import cfg

from nova_ext import conf
from nova_ext.nova_releases import declared_options, scheduler_options
from nova_ext.nova_releases.declared_options import DeclaredOptions

#: The functions that add nova-ext's filters and weighers to Nova's.
FILTERS_LINE = 'nova_ext.scheduler.filters.all_filters'
WEIGHERS_LINE = 'nova_ext.scheduler.weights.all_weighers'


@dataclass(frozen=True)
class EntryPoint:
    """Represent a plugin of an installed package.

    :param dotted: its class, ``package.module.Class``.
    """

    name: str
    dotted: str


@cache
def list_installed(kind: str) -> tuple[EntryPoint, ...]:
    """Return installed ``filters``, ``weighers`` or ``drivers``; run none."""
    return tuple(
        EntryPoint(point.name, point.value.replace(':', '.'))
        for point in metadata.entry_points(group=f'nova_ext.{kind}')
    )


@cache
def list_own_options() -> Mapping[str, Mapping[str, cfg.Opt]]:
    """Return nova-ext's own options, by name by group."""
    return {
        group.name: {option.dest: option for option in options}
        for group, options in conf.list_all_opts()
    }


def list_options(declared: DeclaredOptions | None) -> dict[str, set[str]]:
    """Return the names of all known options, by group.

    :param declared: the options of the Nova that is installed here. Without
        it the scheduler's and nova-ext's own options are known.
    """
    names = {
        group: set(options) for group, options in list_own_options().items()
    }
    for known in (
        scheduler_options.OPTIONS, declared.options if declared else {}
    ):
        for group, options in known.items():
            names.setdefault(group, set()).update(options)
    return names


def find_type(
    declared: DeclaredOptions | None, group: str, option: str
) -> str | None:
    """Return ``list``, ``number``, ``flag`` or ``text``; None: not known."""
    own = list_own_options().get(group, {}).get(option)
    known = (
        own.type if own
        else scheduler_options.OPTIONS.get(group, {}).get(option)
    )
    if known is not None:
        return declared_options.name_type(known)
    return declared.types.get((group, option)) if declared else None


def is_single(
    declared: DeclaredOptions | None, group: str, option: str
) -> bool:
    """Say whether an option is known to have one value."""
    if group in list_own_options():
        known = list_own_options()[group].get(option)
        return known is not None and not known.multi
    name = (group, option)
    if option in scheduler_options.OPTIONS.get(group, {}):
        return name not in scheduler_options.MULTI
    return bool(
        declared
        and option in declared.options.get(group, ())
        and name not in declared.multi
    )


def find_closest(name: str, names: Iterable[str]) -> str | None:
    """Return the known name that a misspelt one is closest to, if any.

    Letter case does not count, nor do quotes and brackets around the name.
    """
    known = {known.lower(): known for known in sorted(names)}
    bare = name.strip('[](){}\'" ').lower()
    close = get_close_matches(bare, known, n=1, cutoff=0.8)
    return known[close[0]] if close else None
