"""All of a lab's Nova in one process: ``python -m nova_ext.lab.nova_process``.

Without a message broker its services talk through ``fake://``, which lives
inside one process: API, conductor, scheduler and every compute.
"""

import os

from nova_ext.lab import (
    nova_threads,
    open_files,
    process,
    states,
    terminal,
)
from nova_ext.lab.process import Call, Running

_READING_S = 24 * 3600


def main() -> None:
    """Serve as all of Nova."""
    process.serve(process.call('nova_ext.lab.nova_process'), _start)


def _start(here: Call) -> Running:
    if here.foreground:
        # No caller is to time out while a person reads.
        os.environ['OS_DEFAULT__RPC_RESPONSE_TIMEOUT'] = str(_READING_S)
        terminal.log_to_file(here)
    # A hundred computes have more files open than is usual.
    open_files.allow_many()
    nova_threads.choose()
    from nova_ext.lab import nova_services

    return nova_services.start(here, states.load(here.place))


if __name__ == '__main__':
    main()
