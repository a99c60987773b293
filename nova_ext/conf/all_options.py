"""List the options of all groups, those of features too."""

from oslo_config import cfg

from nova_ext import conf
from nova_ext.core.base.entry_points import list_points
from nova_ext.core.base.mode import Mode


def register_all_opts(config: cfg.ConfigOpts) -> None:
    """Register all options, those of features too."""
    for group, opts in list_all_opts():
        config.register_group(group)
        config.register_opts(opts, group=group)


def list_all_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Return options by group, those of features too."""
    features = [
        each for each in list_points('oslo.config.opts')
        if each.name.startswith('nova_ext.')
    ]
    return [
        *conf.list_opts(),
        *(pair for each in features for pair in each.load()()),
    ]


def get_mode(group: str, option: str) -> Mode:
    """Return the mode in which an option is read.

    Features are of no use without nova-ext-scheduler.

    :raises KeyError: for a group that is none of ours.
    """
    for module in conf.list_modules():
        if module.GROUP.name == group:
            alone = option in getattr(module, 'SCHEDULER_MODE', ())
            return Mode.SCHEDULER if alone else Mode.PLUGIN
    if any(group == each.name for each, _ in list_all_opts()):
        return Mode.SCHEDULER
    raise KeyError(group)
