"""Nova's API as a process of its own."""

from nova_ext.lab import nova_threads
from nova_ext.lab.phase import Reporter
from nova_ext.lab.place import Place
from nova_ext.lab.states import State
from nova_ext.lab.web import Application


def build(place: Place, state: State, reporter: Reporter) -> Application:
    """Prepare Nova's databases, for all of Nova, and load its API."""
    nova_threads.choose()
    from nova_ext.lab import nova_api

    return nova_api.load(place, state, reporter)
