"""Plugins that harm whoever runs them, if a request's hint says so."""

import os
import signal
import time

from nova.scheduler import filters, weights


def harm(spec):
    """Do what the hint ``harm`` says."""
    (what,) = (spec.scheduler_hints or {}).get('harm') or ['']
    if what == 'hang':
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)
    if what == 'raise':
        raise KeyError('what is not there')
    if what == 'exit':
        os._exit(5)
    if what == 'kill':
        os.kill(os.getpid(), signal.SIGKILL)
    if what == 'grow':
        kept = []
        while True:
            kept.append(bytearray(1 << 24))


class HarmfulFilter(filters.BaseHostFilter):
    """A filter that works, unless a request says otherwise."""

    def host_passes(self, host_state, spec):
        """Harm, or pass the host."""
        harm(spec)
        return True


class HarmfulWeigher(weights.BaseHostWeigher):
    """A weigher of the same kind."""

    def _weigh_object(self, host_state, spec):
        harm(spec)
        return 0.0
