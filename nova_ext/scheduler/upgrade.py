"""What must hold before a scheduler with nova-ext is started."""

from typing import Any

from oslo_upgradecheck import upgradecheck
from oslo_upgradecheck.upgradecheck import Code, Result

from nova_ext.core import errors
from nova_ext.scheduler import check, options, release


def main() -> int:
    """Run the checks that the command line names.

    :returns: the worst result's code.
    """
    return int(upgradecheck.main(options.CONF, 'nova', Checks()))


class Checks(upgradecheck.UpgradeCommands):
    """The checks of ``nova-ext-status upgrade check``."""

    def _release(self) -> Any:
        """Nova has what is needed, and is a release that was tested."""
        if lost := release.lost():
            return Result(Code.FAILURE, f'{"; ".join(lost)}. {_REMEDY}')
        if unlisted := release.unlisted():
            return Result(Code.WARNING, unlisted)
        return Result(Code.SUCCESS)

    def _configuration(self) -> Any:
        """What the scheduler would load does load."""
        try:
            check.check()
        except errors.NovaExtError as error:
            return Result(Code.FAILURE, str(error))
        return Result(Code.SUCCESS)

    _upgrade_checks = (
        ('Nova\'s release', _release),
        ('Configuration', _configuration),
    )


_REMEDY = 'Upgrade nova-ext first, or take its lines out of nova.conf.'
