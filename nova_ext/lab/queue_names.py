"""Names of queues, which stay the same when a service restarts.

With names at random oslo.messaging deletes a service's fanout queue when the
service ends. Waiting for that answer it takes from the broker, acknowledges
and drops what comes for the service meanwhile: a request that nobody will
ever answer. What has a name is left to the broker.
"""

import hashlib
from pathlib import Path

from nova_ext.lab import ini
from nova_ext.lab.place import Place

# Where oslo.messaging counts the queues of a host's services.
_COUNTERS = Path('/dev/shm')  # noqa: S108  its choice


def options(place: Place) -> dict[str, ini.Value]:
    """Options of oslo.messaging for all services of a lab."""
    return {'use_queue_manager': True, 'hostname': _host(place)}


def environment(service: str) -> dict[str, str]:
    """Options of one service, for oslo.config to find."""
    return {'OS_OSLO_MESSAGING_RABBIT__PROCESSNAME': service}


def forget(place: Place) -> None:
    """Remove what oslo.messaging keeps of a lab outside its folder."""
    for counter in _COUNTERS.glob(f'{_host(place)}_*'):
        counter.unlink(missing_ok=True)


def _host(place: Place) -> str:
    """A name that no other lab on this machine has."""
    digest = hashlib.sha256(str(place.folder).encode()).hexdigest()
    return f'nova-ext-lab-{digest[:16]}'
