"""One HTTP service of a lab: ``python -m nova_ext.lab.serve keystone …``."""

import argparse
import gc
import importlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

from nova_ext.lab import states
from nova_ext.lab.phase import Reporter
from nova_ext.lab.place import Place
from nova_ext.lab.web import Web

_MODULES = {
    'keystone': 'nova_ext.lab.keystone_app',
    'placement': 'nova_ext.lab.placement_app',
    'glance': 'nova_ext.lab.glance_app',
    'network': 'nova_ext.lab.network',
}
_THREADS = 8
_GRACE_S = 60


def main() -> None:
    """Serve until SIGTERM, then finish the requests in hand."""
    parser = argparse.ArgumentParser(prog='nova_ext.lab.serve')
    parser.add_argument('service', choices=sorted(_MODULES))
    parser.add_argument('--folder', required=True, type=Path)
    parser.add_argument('--socket', required=True, type=int)
    args = parser.parse_args()
    place = Place(args.folder)
    reporter = Reporter(place, args.service)
    with reporter.starting():
        reporter.tell('importing')
        # Nothing of what an import makes is garbage soon.
        gc.disable()
        module = importlib.import_module(_MODULES[args.service])
        application = module.build(place, states.load(place), reporter)
        gc.enable()
        web = Web(application, socket.socket(fileno=args.socket), _THREADS)
        web.start()
        # Until now SIGTERM ends the process at once.
        ending = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: ending.set())
        reporter.tell('serving', ready=True)
    ending.wait()
    reporter.tell('finishing requests in hand')
    web.stop(time.monotonic() + _GRACE_S)
    logging.shutdown()
    sys.stdout.flush()
    # Threads of libraries would hold the process back.
    os._exit(0)


if __name__ == '__main__':
    main()
