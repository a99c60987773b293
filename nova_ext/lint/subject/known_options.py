"""Which options there are: nova-ext's own, the scheduler's, and Nova's."""

from collections.abc import Mapping
from functools import cache

from oslo_config import cfg

from nova_ext import conf
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options


@cache
def own() -> Mapping[str, Mapping[str, cfg.Opt]]:
    """nova-ext's own options, by name by group."""
    return {
        group.name: {option.dest: option for option in options}
        for group, options in conf.list_opts()
    }


def names(subject: Subject) -> dict[str, set[str]]:
    """All options that are known, by group.

    Without Nova these are the scheduler's and nova-ext's own.
    """
    found = {group: set(options) for group, options in own().items()}
    for group, options in plugins_and_options.OPTIONS.items():
        found.setdefault(group, set()).update(options)
    if subject.declared:
        for group, declared in subject.declared.options.items():
            found.setdefault(group, set()).update(declared)
    return found


def is_single(subject: Subject, group: str, option: str) -> bool:
    """Whether an option is known to have one value."""
    if group in own():
        known = own()[group].get(option)
        return known is not None and not known.multi
    name = (group, option)
    if option in plugins_and_options.OPTIONS.get(group, {}):
        return name not in plugins_and_options.MULTI
    return bool(
        subject.declared
        and option in subject.declared.options.get(group, ())
        and name not in subject.declared.multi
    )
