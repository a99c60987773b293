"""nova-ext-status: whether a scheduler with nova-ext would start.

Run in the new environment, with the configuration that is to stay, before
the scheduler is restarted in it.
"""

import importlib.util
import sys
import warnings


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
        # Of the libraries' authors, for themselves.
        warnings.simplefilter('ignore')
    from nova_ext.conf import unreadable
    from nova_ext.core.base import errors
    from nova_ext.scheduler.startup import compatibility

    try:
        with compatibility.told():
            from nova_ext.scheduler.startup import upgrade_check
        return upgrade_check.main()
    except errors.NovaExtError as error:
        return _refuse(str(error))
    except unreadable.ERRORS as error:
        return _refuse(unreadable.why(error))


def _refuse(why: str) -> int:
    """Say why no check can run; 1 would be a warning."""
    print(f'nova-ext-status: {why}', file=sys.stderr)
    return 2
