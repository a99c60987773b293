"""Has what keystonemiddleware can't do told in the API's own form."""

import logging
from typing import Any

import webob.dec
from oslo_middleware import request_id

from nova_ext.api.failure import HttpError

LOG = logging.getLogger(__name__)

_SILENT = HttpError(
    503, 'identity_silent', 'Keystone does not answer, or nova-ext-api can\'t '
    'ask it: no token can be checked; the log of nova-ext-api says why',
)


@webob.dec.wsgify.middleware
def guarded(request: webob.Request, app: Any) -> webob.Response:
    """Answer as the application does, unless no token could be checked."""
    try:
        response = request.get_response(app)
    except Exception:
        LOG.exception('A token could not be checked')
    else:
        # keystonemiddleware writes it as text; the application never does.
        if response.status_code != 503 or response.content_type == (
            'application/json'
        ):
            return response
    number = request.environ.get(request_id.ENV_REQUEST_ID, '')
    return webob.Response(json_body=_SILENT.body(number), status=503)
