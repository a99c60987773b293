"""Be a service of a lab: ``python -m nova_ext.lab.services.serve <service> …``."""

from nova_ext.lab.process import process
from nova_ext.lab.process.process import Call, Stop
from nova_ext.lab.process.web import Web
from nova_ext.lab.services import layout
from nova_ext.lab.state import lab_state

_THREADS = 8


def main() -> None:
    """Serve as the service that the command line names."""
    process.serve(process.parse_call(), _start)


def _start(here: Call) -> Stop:
    state = lab_state.load(here.place)
    service = layout.find_one(state, here.service)
    if service.start is not None:
        return service.start(here, state)
    assert service.app is not None  # noqa: S101  a service has either
    assert here.listener is not None  # noqa: S101  an application has a port
    web = Web(
        service.app(here.place, state, here.reporter), here.listener, _THREADS
    )
    web.start()
    return web.stop


if __name__ == '__main__':
    main()
