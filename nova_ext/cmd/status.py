"""Run nova-ext-status: check whether a scheduler with nova-ext would start.

It runs in the new environment, with the scheduler's configuration, before
the restart.
"""

import importlib.util
import sys
import warnings

from nova_ext.cmd import arguments


def main() -> int:
    """Run ``nova-ext-status upgrade check``.

    :returns: 0; 1 where a check warns, 2 where one fails or none can run.
    """
    if importlib.util.find_spec('nova') is None:
        return _refuse(
            'Nova is not installed here; install nova-ext into the '
            'environment that nova-scheduler runs in'
        )
    if not sys.warnoptions:
        # Warnings that libraries address to their authors.
        warnings.simplefilter('ignore')
    arguments.refuse_in_one_line()
    from nova_ext.conf import config_errors
    from nova_ext.core.base import errors
    from nova_ext.scheduler.startup import compatibility

    try:
        with compatibility.translate_errors():
            from nova_ext.scheduler.startup import startup_check
        return startup_check.run_upgrade_checks()
    except errors.NovaExtError as error:
        return _refuse(str(error))
    except config_errors.ERRORS as error:
        return _refuse(config_errors.describe(error))


def _refuse(why: str) -> int:
    """Print why no check can run; return 2, as 1 would be a warning."""
    print(f'nova-ext-status: {why}', file=sys.stderr)
    return 2
