"""Names of queues, which stay the same when a service restarts.

With names at random oslo.messaging deletes a service's fanout queue when the
service ends. Waiting for that answer it takes from the broker, acknowledges
and drops what comes for the service meanwhile: a request that nobody will
ever answer. What has a name is left to the broker.

Programs that ask services have names at random: to count theirs,
oslo.messaging would need the first process of their group, and that of a
script which goes on in the background may have ended.
"""

import hashlib
from pathlib import Path

from nova_ext.lab.state.paths import Place

# Where oslo.messaging counts the queues of a host's services.
_COUNTERS = Path('/dev/shm')  # noqa: S108  its choice


def environment(place: Place, service: str) -> dict[str, str]:
    """Return options of one service, for oslo.config to find."""
    options = {
        'use_queue_manager': 'True', 'hostname': _host(place),
        'processname': service,
    }
    return {
        f'OS_OSLO_MESSAGING_RABBIT__{name.upper()}': value
        for name, value in options.items()
    }


def forget(place: Place) -> None:
    """Remove what oslo.messaging keeps of a lab outside its folder."""
    for counter in _COUNTERS.glob(f'{_host(place)}_*'):
        counter.unlink(missing_ok=True)


def _host(place: Place) -> str:
    """Return a name that no other lab on this machine has."""
    digest = hashlib.sha256(str(place.folder).encode()).hexdigest()
    return f'nova-ext-lab-{digest[:16]}'
