"""Let in requests whose token Keystone knows.

keystonemiddleware asks Keystone; the errors that it answers itself are put
into the API's form.
"""

import logging
from typing import Any

import webob.dec
from keystonemiddleware import auth_token, opts
from oslo_config import cfg
from oslo_middleware import request_id

from nova_ext.api.http import microversion
from nova_ext.api.http.errors import UNAUTHORIZED, HttpError

#: Paths that need no token.
PUBLIC_PATHS = frozenset(('', '/', '/v1', '/v1/', '/v1/openapi.json'))

#: Seconds in which Keystone has to answer, unless ``http_connect_timeout``
#: says otherwise; keystonemiddleware would wait for ever.
KEYSTONE_S = 10

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
            conf.set_default('http_connect_timeout', KEYSTONE_S, group=group)
        self._checked = auth_token.AuthProtocol(app, {
            'oslo_config_config': conf,
            # Otherwise a silent Keystone would look like a bad token.
            'delay_auth_decision': False,
        })

    @webob.dec.wsgify
    def __call__(self, request: webob.Request) -> webob.Response:
        """Answer as the application does, or with an error."""
        # A path of bytes that are no text is refused.
        if request.environ.get('PATH_INFO', '') in PUBLIC_PATHS:
            return request.get_response(self._app)
        try:
            response = request.get_response(self._checked)
        except Exception:
            LOG.exception('A token could not be checked')
            return _refuse(request, _SILENT)
        error = _ERRORS.get(response.status_code)
        if error is None or microversion.HEADER in response.headers:
            return response  # the application's
        return _refuse(request, error, response.headers)


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
