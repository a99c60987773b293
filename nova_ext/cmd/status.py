"""nova-ext-status: whether a scheduler with nova-ext would start.

Run in the new environment, with the configuration that is to stay, before
the scheduler is restarted in it.
"""

import importlib.util
import sys
import warnings


def main() -> int:
    """Run ``nova-ext-status upgrade check``.

    :returns: 0; 1 where a check warns, 2 where one fails.
    """
    if importlib.util.find_spec('nova') is None:
        sys.exit(
            'nova-ext-status: Nova is not installed here; install nova-ext '
            'into the environment that nova-scheduler runs in'
        )
    if not sys.warnoptions:
        # Of the libraries' authors, for themselves.
        warnings.simplefilter('ignore')
    from oslo_config import cfg

    from nova_ext.conf import unreadable
    from nova_ext.scheduler import upgrade

    try:
        return upgrade.main()
    except cfg.Error as error:
        sys.exit(f'nova-ext-status: {unreadable.why(error)}')
