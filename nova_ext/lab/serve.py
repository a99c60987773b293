"""One HTTP service of a lab: ``python -m nova_ext.lab.serve keystone …``."""

import importlib

from nova_ext.lab import process, states
from nova_ext.lab.process import Call, Running
from nova_ext.lab.web import Web

_MODULES = {
    'keystone': 'nova_ext.lab.keystone_app',
    'placement': 'nova_ext.lab.placement_app',
    'glance': 'nova_ext.lab.glance_app',
    'network': 'nova_ext.lab.network',
    'api': 'nova_ext.lab.nova_app',
}
_THREADS = 8


def main() -> None:
    """Serve an application."""
    process.serve(process.call('nova_ext.lab.serve'), _start)


def _start(here: Call) -> Running:
    module = importlib.import_module(_MODULES[here.service])
    application = module.build(
        here.place, states.load(here.place), here.reporter
    )
    assert here.listener is not None  # noqa: S101  it has an endpoint
    web = Web(application, here.listener, _THREADS)
    web.start()
    return web


if __name__ == '__main__':
    main()
