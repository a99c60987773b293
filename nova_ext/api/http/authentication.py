"""Let in requests whose token Keystone knows.

keystonemiddleware asks Keystone; the errors that it answers itself are put
into the API's form.
"""

import logging
import threading
from typing import Any

import cachetools
import webob.dec
from keystonemiddleware import auth_token, opts
from oslo_config import cfg
from oslo_middleware import request_id

from nova_ext.api.http import microversion
from nova_ext.api.http.errors import UNAUTHORIZED, HttpError

#: Paths that need no token.
PUBLIC_PATHS = frozenset(('', '/', '/v1', '/v1/', '/v1/openapi.json'))

#: Seconds that all attempts to reach Keystone may take together, unless
#: ``http_connect_timeout`` says otherwise; keystonemiddleware would wait for
#: ever.
KEYSTONE_S = 10
#: Further attempts, unless ``http_request_max_retries`` says otherwise.
RETRIES = 1
#: Maximum number of new tokens that a process checks at one time, so that
#: threads are left for cached tokens while Keystone hangs.
TOKENS_AT_ONCE = 12
#: Maximum number of tokens that a process without memcached keeps, the newest.
#: Each has a catalog of some KB.
TOKENS_KEPT = 4096
#: Where keystonemiddleware finds them, in the environment of a request.
_TOKENS = 'nova_ext.tokens'

LOG = logging.getLogger(__name__)

_SILENT = HttpError(
    503, 'identity_silent', 'Keystone does not answer, or nova-ext-api can\'t '
    'ask it: no token can be checked; the log of nova-ext-api says why',
)
_ERRORS = {error.status: error for error in (UNAUTHORIZED, _SILENT)}


class Guard:
    """Check the token of each request before the application.

    :param app: names its version in each of its answers.
    :param conf: with the group ``keystone_authtoken``.
    """

    def __init__(self, app: Any, conf: cfg.ConfigOpts) -> None:
        self._app = app
        for group, options in opts.list_auth_token_opts():
            conf.register_opts(options, group=group)
            _set_defaults(conf, group)
        self._checked = auth_token.AuthProtocol(app, {
            'oslo_config_config': conf,
            # Otherwise a silent Keystone would look like a bad token.
            'delay_auth_decision': False,
        })
        self._checked._identity_server = _LimitedKeystone(
            self._checked._identity_server
        )
        group = conf.keystone_authtoken
        self._tokens = None if group.memcached_servers else TokenCache(
            group.token_cache_time
        )

    @webob.dec.wsgify
    def __call__(self, request: webob.Request) -> webob.Response:
        """Answer as the application does, or with an error."""
        # A path of bytes that are no text is refused.
        if request.environ.get('PATH_INFO', '') in PUBLIC_PATHS:
            return request.get_response(self._app)
        if self._tokens is not None:
            request.environ[_TOKENS] = self._tokens
        try:
            response = request.get_response(self._checked)
        except HttpError as busy:
            return _refuse(request, busy)
        except Exception:
            LOG.exception('A token could not be checked')
            return _refuse(request, _SILENT)
        error = _ERRORS.get(response.status_code)
        if error is None or microversion.HEADER in response.headers:
            return response  # the application's
        return _refuse(request, error, response.headers)


class TokenCache:
    """Keep checked tokens for all threads, as one memcached would.

    keystonemiddleware's own cache is another one for each thread that looks at
    the same moment: a cached token would wait for a Keystone that hangs.

    :param seconds: for which each is kept.
    :param most: maximum number.
    """

    def __init__(self, seconds: int, most: int = TOKENS_KEPT) -> None:
        self._tokens: cachetools.TTLCache[str, bytes] = cachetools.TTLCache(
            most, max(0, seconds)
        )
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        """Return what is kept under a key; None: nothing is."""
        with self._lock:
            return self._tokens.get(key)

    def set(self, key: str, value: bytes, time: int) -> None:
        """Keep a value, as long as all others."""
        with self._lock:
            self._tokens[key] = value


class _LimitedKeystone:
    """Ask Keystone about a limited number of tokens at one time.

    :param server: keystonemiddleware's, which is asked about tokens that are
        not cached.
    """

    def __init__(self, server: Any) -> None:
        self._server = server
        self._slots = threading.Semaphore(TOKENS_AT_ONCE)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    def verify_token(self, *args: Any, **options: Any) -> Any:
        """Return what Keystone says of a token.

        :raises HttpError: at once, where Keystone has too many to answer.
        """
        if not self._slots.acquire(blocking=False):
            raise HttpError(
                503, 'busy', 'too many new tokens are being checked at this '
                'moment; try again later',
            )
        try:
            return self._server.verify_token(*args, **options)
        finally:
            self._slots.release()


def _set_defaults(conf: cfg.ConfigOpts, group: str) -> None:
    """Set defaults of our own; what the configuration says is kept."""
    conf.set_default('http_request_max_retries', RETRIES, group=group)
    attempts = conf[group].http_request_max_retries + 1
    conf.set_default(
        'http_connect_timeout', max(1, KEYSTONE_S // attempts), group=group
    )
    conf.set_default('cache', _TOKENS, group=group)
    # Tokens with access rules name the service that they are for.
    conf.set_default('service_type', microversion.SERVICE_TYPE, group=group)


def _refuse(
    request: webob.Request, error: HttpError, headers: Any = ()
) -> webob.Response:
    """Return the error in JSON, with the URL of Keystone if it is known."""
    response = webob.Response(
        json_body=error.body(request.environ.get(request_id.ENV_REQUEST_ID)),
        status=error.status,
    )
    response.headers.update(microversion.build_headers())
    if 'WWW-Authenticate' in headers:
        response.headers['WWW-Authenticate'] = headers['WWW-Authenticate']
    return response
