"""Serve: ``python -m nova_ext.lab.services.serve <service> …``."""

from nova_ext.lab.process import process
from nova_ext.lab.process.process import Arguments, Stop
from nova_ext.lab.process.web import Web
from nova_ext.lab.services import layout
from nova_ext.lab.state import lab_state

_THREADS = 8


def main() -> None:
    """Serve as the service that the command line names."""
    process.serve(process.parse_command_line(), _start)


def _start(args: Arguments) -> Stop:
    state = lab_state.load(args.lab)
    service = layout.find_one(state, args.service)
    if service.start is not None:
        return service.start(args, state)
    assert service.app is not None  # noqa: S101  a service has either
    assert args.listener is not None  # noqa: S101  an application has a port
    web = Web(
        service.app(args.lab, state, args.reporter), args.listener, _THREADS
    )
    web.start()
    return web.stop


if __name__ == '__main__':
    main()
