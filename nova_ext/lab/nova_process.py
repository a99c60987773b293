"""All of a lab's Nova in one process: ``python -m nova_ext.lab.nova_process``.

Without a message broker its services talk through ``fake://``, which lives
inside one process: API, conductor, scheduler and every compute.
"""

import argparse
import gc
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
from pathlib import Path

from nova_ext.lab import states
from nova_ext.lab.phase import Reporter
from nova_ext.lab.place import Place

_GRACE_S = 60
_READING_S = 24 * 3600


def main() -> None:
    """Serve until SIGTERM, then finish what is in hand."""
    parser = argparse.ArgumentParser(prog='nova_ext.lab.nova_process')
    parser.add_argument('--folder', required=True, type=Path)
    parser.add_argument('--socket', required=True, type=int)
    parser.add_argument('--foreground', action='store_true')
    args = parser.parse_args()
    if args.foreground:
        # No caller is to time out while a person reads.
        os.environ['OS_DEFAULT__RPC_RESPONSE_TIMEOUT'] = str(_READING_S)
    place = Place(args.folder)
    reporter = Reporter(place, 'nova')
    with reporter.starting():
        reporter.tell('importing')
        # A hundred computes have more files open than is usual.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        # Nothing of what an import makes is garbage soon.
        gc.disable()
        os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'] = 'true'
        from nova import monkey_patch

        monkey_patch.patch(backend='threading')
        from nova_ext.lab import nova_services

        listener = socket.socket(fileno=args.socket)
        running = nova_services.start(
            place, states.load(place), listener, reporter, args.foreground
        )
        gc.enable()
        # Until now either signal ends the process at once.
        ending = _signals(args.foreground)
        reporter.tell('serving', ready=True)
    if args.foreground:
        sys.stderr.write(
            'nova serves at this terminal; Ctrl-C sends it back to the '
            f'background\nits log: {place.log("nova")}\n'
        )
    ending.wait()
    reporter.tell('finishing requests in hand')
    running.stop(time.monotonic() + _GRACE_S)
    logging.shutdown()
    sys.stdout.flush()
    # Nova's thread pools would hold the process back.
    os._exit(0)


def _signals(foreground: bool) -> threading.Event:
    """Set an event at the first signal; at a second Ctrl-C end at once."""
    ending = threading.Event()

    def end(number: int, frame: object) -> None:
        if ending.is_set() and number == signal.SIGINT:
            os._exit(130)
        if foreground:
            sys.stderr.write(
                '\nfinishing requests in hand; Ctrl-C again ends at once\n'
            )
        ending.set()

    signal.signal(signal.SIGTERM, end)
    if foreground:
        signal.signal(signal.SIGINT, end)
    return ending


if __name__ == '__main__':
    main()
