"""The application: operations behind Flask and OpenStack's middleware."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import flask
from oslo_config import cfg
from oslo_context import context
from oslo_middleware import healthcheck, http_proxy_to_wsgi, request_id
from werkzeug import exceptions
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from nova_ext.api import openapi
from nova_ext.api.http import errors as failures
from nova_ext.api.http import microversion, validation
from nova_ext.api.http.authentication import Guard
from nova_ext.api.http.backends import Configured
from nova_ext.api.http.errors import UNAUTHORIZED, HttpError
from nova_ext.api.http.request import Asked, Backends
from nova_ext.api.operations import OPERATIONS, Operation
from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.decision_database.database import StoreError

#: Bytes of a body; 10,000 hosts to ignore fit.
MAX_BODY = 4 * 1024 * 1024

LOG = logging.getLogger(__name__)


def build(conf: cfg.ConfigOpts, backends: Backends | None = None) -> Any:
    """Make the WSGI application.

    :param conf: oslo.config's own, with nova-ext's options registered.
    :param backends: in place of those that the configuration names.
    """
    app = operations(backends or Configured(conf))
    guard = Guard(app, conf)
    health = healthcheck.Healthcheck.app_factory({})
    # It passes on what it does not answer, by its own configuration.
    health.application = guard
    outer = DispatcherMiddleware(guard, {'/healthcheck': health})
    return http_proxy_to_wsgi.HTTPProxyToWSGI(
        request_id.RequestId(outer), conf
    )


def operations(backends: Backends) -> flask.Flask:
    """The operations alone, without the middleware before them."""
    app = flask.Flask('nova_ext.api', static_folder=None)
    app.config['MAX_CONTENT_LENGTH'] = MAX_BODY
    app.url_map.strict_slashes = False
    for operation in OPERATIONS:
        path = operation.path.replace('{', '<').replace('}', '>')
        app.add_url_rule(
            path, operation.name, _view(operation, backends),
            methods=[operation.method], provide_automatic_options=False,
        )
    for name, (path, view) in _PUBLIC.items():
        app.add_url_rule(
            path, name, view, methods=['GET'],
            provide_automatic_options=False,
        )
    app.after_request(_headers)
    app.register_error_handler(Exception, _failed)
    return app


def _view(operation: Operation, backends: Backends) -> Callable[..., Any]:
    """What Flask calls for an operation."""

    def view(**path: str) -> Any:
        request = flask.request
        if request.headers.get('X-Identity-Status') != 'Confirmed':
            raise UNAUTHORIZED
        flask.g.version = microversion.requested(request.headers)
        who = context.RequestContext.from_environ(request.environ)
        Asked(who, backends, _root()).require(operation.rule)
        answer = operation.handler(Asked(
            who, backends, _root(),
            validation.path(path, operation.path_values),
            validation.query(
                request.args.to_dict(flat=False), operation.query
            ),
            validation.body(request, operation.body),
        ))
        if isinstance(answer, str):
            return flask.Response(answer, mimetype='text/html')
        return flask.jsonify(answer)

    return view


def _root() -> str:
    """URL of the API as the caller knows it, without a slash at its end."""
    return flask.request.root_url.rstrip('/')


#: What is answered without a token.
_PUBLIC: Mapping[str, tuple[str, Callable[[], Any]]] = {
    'versions': (
        '/', lambda: {'versions': [microversion.document(_root())]}
    ),
    'version': (
        '/v1/', lambda: {'version': microversion.document(_root())}
    ),
    'openapi': ('/v1/openapi.json', openapi.document),
}


def _headers(response: flask.Response) -> flask.Response:
    """Say which microversion was answered."""
    version = flask.g.get('version', microversion.OLDEST)
    response.headers.update(microversion.headers(
        version, public=flask.request.endpoint in _PUBLIC
    ))
    return response


def _failed(error: Exception) -> flask.Response:
    """An error in the one form in which errors are told."""
    failure = _failure(error)
    response = flask.jsonify(failure.body(
        flask.request.environ.get(request_id.ENV_REQUEST_ID, '')
    ))
    response.status_code = failure.status
    if isinstance(error, exceptions.MethodNotAllowed):
        response.headers['Allow'] = ', '.join(
            sorted(error.valid_methods or ())
        )
    return response


def _failure(error: Exception) -> HttpError:
    if isinstance(error, HttpError):
        return error
    if isinstance(error, SchedulingError):
        LOG.warning('A scheduler: %s', error)
        return failures.of(error)
    if isinstance(error, StoreError):
        LOG.error('%s', error)
        return HttpError(
            503, 'database_silent', 'the database of decisions does not '
            'answer; the log of nova-ext-api says why'
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
