"""Lets in whose token Keystone knows, and tells others in the API's own form.

keystonemiddleware asks Keystone; what it answers itself has other forms.
"""

import logging
from typing import Any

import webob.dec
from keystonemiddleware import auth_token
from oslo_config import cfg
from oslo_middleware import request_id

from nova_ext.api.http import microversion
from nova_ext.api.http.errors import UNAUTHORIZED, HttpError

#: What needs no token.
OPEN = frozenset(('', '/', '/v1', '/v1/', '/v1/openapi.json'))

LOG = logging.getLogger(__name__)

_SILENT = HttpError(
    503, 'identity_silent', 'Keystone does not answer, or nova-ext-api can\'t '
    'ask it: no token can be checked; the log of nova-ext-api says why',
)
_TOLD = {error.status: error for error in (UNAUTHORIZED, _SILENT)}


class Guard:
    """Stands before the application.

    :param app: names its version in all of its answers.
    :param conf: with the group ``keystone_authtoken``.
    """

    def __init__(self, app: Any, conf: cfg.ConfigOpts) -> None:
        self._app = app
        self._checked = auth_token.AuthProtocol(app, {
            'oslo_config_config': conf,
            # Or else Keystone's silence would be told as a bad token.
            'delay_auth_decision': False,
        })

    @webob.dec.wsgify
    def __call__(self, request: webob.Request) -> webob.Response:
        """Answer as the application does, or as the guard."""
        # Bytes that are no text get no further than to a refusal.
        if request.environ.get('PATH_INFO', '') in OPEN:
            return request.get_response(self._app)
        try:
            response = request.get_response(self._checked)
        except Exception:
            LOG.exception('A token could not be checked')
            return _refusal(request, _SILENT)
        error = _TOLD.get(response.status_code)
        if error is None or microversion.HEADER in response.headers:
            return response  # the application's
        return _refusal(request, error, response.headers)


def _refusal(
    request: webob.Request, error: HttpError, headers: Any = ()
) -> webob.Response:
    """The answer in JSON; it says where tokens are to be had, if known."""
    made = webob.Response(
        json_body=error.body(request.environ.get(request_id.ENV_REQUEST_ID)),
        status=error.status,
    )
    made.headers.update(microversion.headers())
    if 'WWW-Authenticate' in headers:
        made.headers['WWW-Authenticate'] = headers['WWW-Authenticate']
    return made
