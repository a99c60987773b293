"""Check that a scheduler would start: load everything, start nothing."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from oslo_config import cfg
from oslo_upgradecheck import upgradecheck
from oslo_upgradecheck.upgradecheck import Code, Result

from nova_ext import conf
from nova_ext.conf import config_errors
from nova_ext.core.base import errors
from nova_ext.scheduler.base import missing_names, options, releases
from nova_ext.scheduler.startup import compatibility

#: Groups of Nova's options that decide what is loaded.
_NOVA_GROUPS = ('filter_scheduler', 'scheduler')
_REMEDY = 'Upgrade nova-ext first, or take its lines out of nova.conf.'


def check() -> tuple[list[Any], list[Any]]:
    """Load what a stock scheduler or ours loads at its start.

    Call it inside ``compatibility.translate_errors()``: it imports all of
    Nova that is needed, which may have moved.

    :returns: the enabled filters and weighers.
    :raises NovaExtError: for what would stop the start, in one line.
    """
    from nova_ext.scheduler import (
        manager,  # noqa: F401  loads Nova's, which registers its options
    )
    from nova_ext.scheduler.discovery import validation
    from nova_ext.scheduler.facts import nova_facts
    from nova_ext.scheduler.mirror import mirror_loading
    from nova_ext.scheduler.plugins import costs, drivers, topic_chooser

    options.register_all()
    for group in (*_NOVA_GROUPS, *(ours.name for ours, _ in conf.list_opts())):
        _read_options(group)
    validation.validate()
    plugins = validation.instantiate()
    facts = nova_facts.NovaFacts()
    topic_chooser.provide_choosers(drivers.load(
        options.CONF.nova_ext.scheduler_driver, facts
    ))
    costs.load(facts)
    mirror_loading.check()
    return plugins


def _read_options(group: str) -> None:
    """Read every option of a group: oslo.config checks values when read."""
    values = options.CONF[group]
    for option in values:
        try:
            values[option]
        except cfg.ConfigFileValueError as error:
            _, _, reason = str(error).partition(' is not valid: ')
            raise errors.NovaExtError(
                f'[{group}] {option}: {reason or error}'
            ) from error


def run_upgrade_checks() -> int:
    """Run the checks that the command line names.

    :returns: the worst result's code.
    """
    return int(upgradecheck.main(options.CONF, 'nova', UpgradeChecks()))


def _report_errors(
    check_one: Callable[[Any], Result]
) -> Callable[[Any], Result]:
    """Make a check fail with one line where it raises.

    oslo.upgradecheck would print a traceback.
    """
    @wraps(check_one)
    def checked(checks: Any) -> Result:
        try:
            with compatibility.translate_errors():
                return check_one(checks)
        except errors.NovaExtError as error:
            return Result(Code.FAILURE, str(error))
        except cfg.Error as error:
            return Result(Code.FAILURE, config_errors.describe(error))

    return checked


class UpgradeChecks(upgradecheck.UpgradeCommands):
    """Check what must hold before a scheduler with nova-ext is started."""

    @_report_errors
    def _check_release(self) -> Result:
        """Check that Nova has what is needed, in a release that was tested."""
        if missing := missing_names.find_missing():
            return Result(Code.FAILURE, f'{"; ".join(missing)}. {_REMEDY}')
        if untested := releases.describe_untested_release():
            return Result(Code.WARNING, untested)
        return Result(Code.SUCCESS)

    @_report_errors
    def _check_configuration(self) -> Result:
        """Check that what the scheduler would load does load."""
        check()
        return Result(Code.SUCCESS)

    _upgrade_checks = (
        ('Nova\'s release', _check_release),
        ('Configuration', _check_configuration),
    )
