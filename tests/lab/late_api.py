"""Nova's API, started after the rest: ``python -m tests.lab.late_api``.

An API reads which cells there are when it starts, and never again. The
lab's own starts before a test can add one.
"""

import contextlib
import subprocess
import sys

import waitress

from nova_ext.lab.configuration import environment
from nova_ext.lab.process import nova_threads


@contextlib.contextmanager
def running(place):
    """The port of one more API of a lab, with a process of its own."""
    process = subprocess.Popen(
        [sys.executable, '-m', __name__], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env={
            **environment.variables(place),
            'OS_NOVA_CONFIG_DIR': str(place.configuration('nova')),
        },
    )
    with process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def main():
    """Serve on a free port, and tell which."""
    nova_threads.choose()
    from nova.api.openstack import wsgi_app

    server = waitress.create_server(
        wsgi_app.init_application('osapi_compute', 'nova-api-os-compute'),
        host='127.0.0.1', port=0,
    )
    print(server.effective_port, flush=True)
    server.run()


if __name__ == '__main__':
    main()
