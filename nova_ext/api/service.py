"""Build the WSGI application with Flask and OpenStack's middleware."""

import dataclasses
import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any, cast

import flask
from flask.json.provider import DefaultJSONProvider
from oslo_config import cfg
from oslo_context import context
from oslo_middleware import (
    healthcheck,
    http_proxy_to_wsgi,
    opts,
    request_id,
)
from werkzeug import exceptions
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.sansio.utils import get_current_url

from nova_ext.api import openapi
from nova_ext.api.configuration import Backends
from nova_ext.api.http import errors, microversion, request
from nova_ext.api.http.authentication import Guard
from nova_ext.api.http.errors import UNAUTHORIZED, HttpError
from nova_ext.api.http.fair_share import Allowance
from nova_ext.api.operations import ApiOperation, list_operations
from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.database.database import BusyDatabaseError, DatabaseError
from nova_ext.policy import rules

#: Seconds for which a thread that computes keeps others waiting. Python's
#: 5 ms add up: a request waits so long after each of its steps.
_SWITCH_S = 0.0005
#: Schemes of links.
_SCHEMES = ('http', 'https')
#: Of members' requests, in this process.
ALLOWANCE = Allowance()

LOG = logging.getLogger(__name__)


def build(conf: cfg.ConfigOpts, backends: Backends | None = None) -> Any:
    """Build the WSGI application.

    :param conf: oslo.config's own, with nova-ext's options registered.
    :param backends: in place of those that the configuration names.
    """
    sys.setswitchinterval(_SWITCH_S)
    app = build_operations(backends or Backends(conf))
    guard = Guard(app, conf)
    health = healthcheck.Healthcheck.app_factory({})
    # By its configuration it may pass requests on.
    health.application = guard
    outer = DispatcherMiddleware(guard, {'/healthcheck': health})
    return http_proxy_to_wsgi.HTTPProxyToWSGI(
        request_id.RequestId(outer), conf
    )


def build_operations(backends: Backends) -> flask.Flask:
    """Build the Flask application without the middleware."""
    for group, options in opts.list_opts_sizelimit():
        cfg.CONF.register_opts(options, group=group)
    app = flask.Flask('nova_ext.api', static_folder=None)
    app.url_map.strict_slashes = False
    # Where the order tells something, as in a capacity, it stays.
    cast(DefaultJSONProvider, app.json).sort_keys = False
    for operation in list_operations():
        path = operation.path.replace('{', '<').replace('}', '>')
        app.add_url_rule(
            path, operation.name, _make_view(operation, backends),
            methods=[operation.method], provide_automatic_options=False,
        )
    for name, (path, view) in _PUBLIC.items():
        app.add_url_rule(
            path, name, view, methods=['GET'],
            provide_automatic_options=False,
        )
    app.after_request(_add_headers)
    app.register_error_handler(Exception, _answer_error)
    return app


def _make_view(
    operation: ApiOperation, backends: Backends
) -> Callable[..., Any]:
    """Return the function that Flask calls for an operation."""

    def view(**path: str) -> Any:
        received = flask.request
        if received.headers.get('X-Identity-Status') != 'Confirmed':
            raise UNAUTHORIZED
        flask.g.version = microversion.read_version(received.headers)
        caller = request.Request(
            context.RequestContext.from_environ(received.environ), backends,
            _get_root_url(), auth=received.environ.get('keystone.token_auth'),
        )
        caller.require(operation.rule)
        project = caller.context.project_id
        # A parent zone's account, say, looks at this zone meanwhile.
        is_free = operation.is_of_zones or caller.allows(rules.ALL_PROJECTS)
        with ALLOWANCE.spend(project, is_free=is_free):
            if not is_free:
                ALLOWANCE.wait(project)
            return _answer(operation, caller, path)

    return view


def _answer(
    operation: ApiOperation, caller: request.Request, path: Mapping[str, str]
) -> Any:
    """Read the rest of a request, and carry it out."""
    received = flask.request
    answer = operation.handler(dataclasses.replace(
        caller,
        path=request.read_path(path, operation.path_values),
        query=request.read_query(
            received.args.to_dict(flat=False), operation.query
        ),
        body=request.read_body(
            received, operation.body, operation.max_body_bytes
            or cfg.CONF.oslo_middleware.max_request_body_size,
        ),
    ))
    status = operation.status
    if isinstance(answer, tuple):
        answer, status = answer
    if answer is None:
        return flask.Response(status=status)
    if isinstance(answer, str):
        return flask.Response(answer, mimetype='text/html')
    return flask.jsonify(answer), status


def _get_root_url() -> str:
    """Return the API's URL as the caller knows it, without a final slash.

    A caller's ``X-Forwarded-Proto`` may name any scheme.
    """
    received = flask.request
    scheme = received.scheme if received.scheme in _SCHEMES else 'https'
    url = get_current_url(scheme, received.host, received.root_path)
    return url.rstrip('/')


#: Paths that are answered without a token.
_PUBLIC: Mapping[str, tuple[str, Callable[[], Any]]] = {
    'versions': (
        '/', lambda: {'versions': [microversion.describe(_get_root_url())]}
    ),
    'version': (
        '/v1/', lambda: {'version': microversion.describe(_get_root_url())}
    ),
    'openapi': ('/v1/openapi.json', openapi.build_document),
}


def _add_headers(response: flask.Response) -> flask.Response:
    """Name the microversion of an answer."""
    version = flask.g.get('version', microversion.OLDEST)
    response.headers.update(microversion.build_headers(
        # The links of others hold what a caller's headers name.
        version, public=flask.request.endpoint == 'openapi'
    ))
    return response


def _answer_error(error: Exception) -> flask.Response:
    http_error = _convert(error)
    response = flask.jsonify(http_error.body(
        flask.request.environ.get(request_id.ENV_REQUEST_ID, '')
    ))
    response.status_code = http_error.status
    if isinstance(error, exceptions.MethodNotAllowed):
        response.headers['Allow'] = ', '.join(
            sorted(error.valid_methods or ())
        )
    return response


def _convert(error: Exception) -> HttpError:
    if isinstance(error, HttpError):
        return error
    if isinstance(error, SchedulingError):
        LOG.warning('A scheduler: %s', error)
        return errors.convert(error)
    if isinstance(error, BusyDatabaseError):
        return HttpError(503, 'busy', str(error))
    if isinstance(error, DatabaseError):
        LOG.error('%s', error)
        return HttpError(
            503, 'database_silent', 'the database does not answer; '
            'the log of nova-ext-api says why'
        )
    if isinstance(error, exceptions.HTTPException):
        return HttpError(
            error.code or 500, error.name.lower().replace(' ', '_'),
            error.description or error.name,
        )
    LOG.exception('A request failed')
    return HttpError(
        500, 'internal_error', 'nova-ext-api failed; its log says why'
    )
