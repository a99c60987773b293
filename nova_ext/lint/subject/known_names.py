"""Know the options and installed plugins, and correct misspelt names."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from oslo_config import cfg

from nova_ext.conf import all_options
from nova_ext.core.base.entry_points import list_points
from nova_ext.nova_releases import declared_options, scheduler_options
from nova_ext.nova_releases.declared_options import DeclaredOptions

#: The functions that add nova-ext's filters and weighers to Nova's.
FILTERS_LINE = 'nova_ext.scheduler.filters.all_filters'
WEIGHERS_LINE = 'nova_ext.scheduler.weights.all_weighers'

#: A word of a name, in either way of joining words.
_WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+')


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
        for point in list_points(f'nova_ext.{kind}')
    )


@cache
def list_own_options() -> Mapping[str, Mapping[str, cfg.Opt]]:
    """Return nova-ext's own options, by name by group."""
    return {
        group.name: {option.dest: option for option in options}
        for group, options in all_options.list_all_opts()
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
    """Return the known name that a misspelt one means, if any.

    The two are one typo apart, or differ in the number of one word, or in a
    Filter at the end. Names that only look alike mean something else. Letter
    case does not count, nor do quotes and brackets around the name.
    """
    bare = name.strip('[](){}\'" ')
    return next((
        known for is_same in (_is_equal, _is_typo, _is_other_number)
        for known in sorted(names) if is_same(bare, known)
    ), None)


def _is_equal(one: str, other: str) -> bool:
    one, other = one.lower(), other.lower()
    return one == other or f'{one}filter' == other or one == f'{other}filter'


def _is_typo(one: str, other: str) -> bool:
    """Say whether one letter is wrong, missing or swapped with the next."""
    one, other = one.lower(), other.lower()
    start = next((
        number for number, letters in enumerate(zip(one, other, strict=False))
        if letters[0] != letters[1]
    ), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:] or (
        (one[1:2] + one[:1], one[2:]) == (other[:2], other[2:])
    )


def _is_other_number(one: str, other: str) -> bool:
    """Say whether one word of the names is in another number."""
    words, others = (_WORD.findall(name) for name in (one, other))
    changed = [
        pair for pair in zip(words, others, strict=False)
        if pair[0].lower() != pair[1].lower()
    ]
    return len(words) == len(others) and len(changed) == 1 and (
        _singular(changed[0][0]) == _singular(changed[0][1])
    )


def _singular(word: str) -> str:
    word = re.sub('ies$', 'y', word.lower())
    return re.sub('(?<=s|x)es$|(?<=[cs]h)es$|(?<!s)s$', '', word)
