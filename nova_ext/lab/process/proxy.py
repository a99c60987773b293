"""What a deployment's reverse proxy does, on the lab's one machine.

A request to ``/client/<address>/<rest>`` is passed on as ``/<rest>``, and
the address is added to X-Forwarded-For, as a proxy adds the address of the
client that is connected to it; Forwarded is dropped. Other requests go
through untouched.
"""

from collections.abc import Iterable

from nova_ext.lab.process.web import Application, Environ, StartResponse

PREFIX = '/client/'


class Proxy:
    """WSGI middleware.

    :param application: Nova's API.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(
        self, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Pass one request on."""
        path = environ.get('PATH_INFO', '')
        if path.startswith(PREFIX):
            address, slash, rest = path[len(PREFIX):].partition('/')
            claimed = environ.get('HTTP_X_FORWARDED_FOR')
            environ = {
                **environ,
                'PATH_INFO': slash + rest,
                'HTTP_X_FORWARDED_FOR':
                    f'{claimed}, {address}' if claimed else address,
                # Clients follow Nova's links to itself.
                'HTTP_X_FORWARDED_PREFIX': f'{PREFIX}{address}',
            }
            # Nova would believe its first element, the client's own claim.
            environ.pop('HTTP_FORWARDED', None)
        return self._application(environ, start_response)
