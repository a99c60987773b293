"""Start one more of Nova's APIs: ``python -m tests.lab.late_api``.

An API reads the cells when it starts, and never again. The lab's own starts
before a test can add one.
"""

import contextlib
import subprocess
import sys

import waitress

from nova_ext.lab.configuration import environment
from nova_ext.lab.process import nova_threads


@contextlib.contextmanager
def running(lab_folder):
    """Run one more API of a lab in its own process, and give its port."""
    process = subprocess.Popen(
        [sys.executable, '-m', __name__], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env={
            **environment.build_for_command(lab_folder),
            'OS_NOVA_CONFIG_DIR': str(lab_folder.configuration('nova')),
        },
    )
    with process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def main():
    """Serve on a free port, and print it."""
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
