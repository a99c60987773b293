"""What must hold before a scheduler with nova-ext is started."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from oslo_config import cfg
from oslo_upgradecheck import upgradecheck
from oslo_upgradecheck.upgradecheck import Code, Result

from nova_ext.conf import unreadable
from nova_ext.core.base import errors
from nova_ext.scheduler.base import options, releases
from nova_ext.scheduler.startup import compatibility


def main() -> int:
    """Run the checks that the command line names.

    :returns: the worst result's code.
    """
    return int(upgradecheck.main(options.CONF, 'nova', Checks()))


def _failing(
    looks: Callable[[Any], Result]
) -> Callable[[Any], Result]:
    """A check that fails with one line where it can't look.

    oslo.upgradecheck prints the traceback of what a check raises.
    """
    @wraps(looks)
    def look(checks: Any) -> Result:
        try:
            with compatibility.told():
                return looks(checks)
        except errors.NovaExtError as error:
            return Result(Code.FAILURE, str(error))
        except cfg.Error as error:
            return Result(Code.FAILURE, unreadable.why(error))

    return look


class Checks(upgradecheck.UpgradeCommands):
    """The checks of ``nova-ext-status upgrade check``."""

    @_failing
    def _release(self) -> Result:
        """Nova has what is needed, and is a release that was tested."""
        if lost := releases.lost():
            return Result(Code.FAILURE, f'{"; ".join(lost)}. {_REMEDY}')
        if unlisted := releases.unlisted():
            return Result(Code.WARNING, unlisted)
        return Result(Code.SUCCESS)

    @_failing
    def _configuration(self) -> Result:
        """What the scheduler would load does load."""
        # It imports all of Nova that is needed, which may have moved.
        from nova_ext.scheduler.startup import startup_check

        startup_check.check()
        return Result(Code.SUCCESS)

    _upgrade_checks = (
        ('Nova\'s release', _release),
        ('Configuration', _configuration),
    )


_REMEDY = 'Upgrade nova-ext first, or take its lines out of nova.conf.'
