"""nova-ext-scheduler: Nova's nova-scheduler with our manager.

Nothing but the standard library is imported before Nova's own command,
whose first act is to choose its threads.
"""

import sys
from pathlib import Path


def main() -> None:
    """Run nova-scheduler; refuse to start with one line."""
    # oslo.config and oslo.log derive default files and names from it.
    sys.argv[0] = str(Path(sys.argv[0]).with_name('nova-scheduler'))
    from nova.cmd import scheduler  # noqa: I001  before all else of Nova
    from nova import service

    from nova_ext.core import errors

    service.SERVICE_MANAGERS['nova-scheduler'] = (
        'nova_ext.scheduler.manager.SchedulerManager'
    )
    try:
        scheduler.main()
    except errors.ConfigurationError as error:
        sys.exit(f'nova-ext-scheduler: {error}')
