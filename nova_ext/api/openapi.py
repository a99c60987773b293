"""Build the OpenAPI document from the operations."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from nova_ext.api.http import microversion
from nova_ext.api.operations import ApiOperation, list_operations
from nova_ext.api.schemas import versions
from nova_ext.api.schemas.parts import Schema

_ERRORS = {
    '400': 'The request does not fit its schema.',
    '401': 'There is no valid token.',
    '403': 'The policy does not allow it, or the project would have too much.',
    '404': 'It does not exist, or belongs to another project.',
    '406': 'The microversion does not exist.',
    '409': 'It is not in a state for this, or another one is in the way.',
    '413': 'The body is too long.',
    '415': 'The body is not application/json.',
    '502': 'The scheduler failed.',
    '503': 'The database or the message bus does not answer, no '
    'nova-ext-scheduler runs, or it is busy.',
    '504': 'No scheduler answered in time.',
}

#: The header. Versions of other services may stand in it, too.
_VERSION = {
    'in': 'header', 'name': microversion.HEADER, 'required': False,
    'schema': {'type': 'string'},
    'example': f'{microversion.SERVICE_TYPE} {microversion.NEWEST}',
}
#: The option that bounds what users send.
_MAX_BODY = '``[oslo_middleware] max_request_body_size``'
#: The status of an answer without a body.
_EMPTY = 204


@cache
def build_document() -> dict[str, Any]:
    """Return all operations in the form of OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {
        '/': {'get': _describe_public('versions', versions.VERSIONS)},
        '/v1/': {'get': _describe_public('version', versions.VERSION)},
        '/v1/openapi.json': {
            'get': _describe_public('openapi', {'type': 'object'})
        },
    }
    for operation in list_operations():
        methods = paths.setdefault(operation.path, {})
        methods[operation.method.lower()] = _describe(operation)
    return {
        'openapi': '3.1.0',
        'info': {
            'title': 'nova-ext-api', 'version': microversion.NEWEST,
            'description': 'Why servers are where they are, where others '
            'would go, and how many fit.',
            'license': {'name': 'Apache-2.0', 'identifier': 'Apache-2.0'},
        },
        'paths': paths,
        'components': {
            'schemas': {'Errors': versions.ERRORS},
            'responses': {
                status: {'description': text, 'content': _describe_json(
                    {'$ref': '#/components/schemas/Errors'}
                )} for status, text in _ERRORS.items()
            },
            'securitySchemes': {'token': {
                'type': 'apiKey', 'in': 'header', 'name': 'X-Auth-Token',
            }},
        },
        'security': [{'token': []}],
    }


def _describe(operation: ApiOperation) -> dict[str, Any]:
    description: dict[str, Any] = {
        'operationId': operation.name, 'summary': operation.summary,
        'description': f'Policy: ``{operation.rule}``.',
        'parameters': [
            *_describe_parameters('path', operation.path_values),
            *_describe_parameters('query', operation.query),
            _VERSION,
        ],
        'responses': {
            str(operation.status): _describe_answer(operation),
            **{
                str(status): {
                    'description': operation.summary,
                    'content': _describe_json(schema),
                } for status, schema in operation.others.items()
            },
            **{
                status: {'$ref': f'#/components/responses/{status}'}
                for status in _ERRORS
            },
        },
    }
    if operation.body is not None:
        description['requestBody'] = {
            'required': True, 'content': _describe_json(operation.body),
            'description': 'At most '
            f'{operation.max_body_bytes or _MAX_BODY} bytes.',
        }
    return description


def _describe_answer(operation: ApiOperation) -> dict[str, Any]:
    answer: dict[str, Any] = {'description': operation.summary}
    if operation.answer is not None:
        answer['content'] = _describe_json(operation.answer)
    elif operation.status != _EMPTY:
        answer['content'] = {'text/html': {}}
    return answer


def _describe_public(name: str, answer: Schema) -> dict[str, Any]:
    return {
        'operationId': name, 'security': [], 'responses': {
            '200': {'description': name, 'content': _describe_json(answer)},
        },
    }


def _describe_parameters(
    where: str, values: Mapping[str, Schema]
) -> list[dict[str, Any]]:
    return [
        {
            'in': where, 'name': name, 'required': where == 'path',
            'schema': schema,
        } for name, schema in values.items()
    ]


def _describe_json(schema: Schema) -> dict[str, Any]:
    return {'application/json': {'schema': schema}}
