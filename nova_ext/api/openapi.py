"""The OpenAPI document, made of the operations."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from nova_ext.api.http import microversion, schemas
from nova_ext.api.http.schemas import Schema
from nova_ext.api.operations import OPERATIONS, Operation

_ERRORS = {
    '400': 'The request is not as it has to be.',
    '401': 'There is no valid token.',
    '403': 'The policy does not allow it.',
    '404': 'It is not there, or belongs to another project.',
    '406': 'The microversion is not there.',
    '413': 'The body is too long.',
    '415': 'The body is no application/json.',
    '502': 'The scheduler failed.',
    '503': 'The database or the message bus does not answer.',
    '504': 'No scheduler answered in time.',
}


@cache
def document() -> dict[str, Any]:
    """All operations, in the form of OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {
        '/': {'get': _public('versions', schemas.VERSIONS)},
        '/v1/': {'get': _public('version', schemas.VERSION)},
        '/v1/openapi.json': {'get': _public('openapi', {'type': 'object'})},
    }
    for operation in OPERATIONS:
        at = paths.setdefault(operation.path, {})
        at[operation.method.lower()] = _described(operation)
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
            'schemas': {'Errors': schemas.ERRORS},
            'responses': {
                status: {'description': words, 'content': _json(
                    {'$ref': '#/components/schemas/Errors'}
                )} for status, words in _ERRORS.items()
            },
            'securitySchemes': {'token': {
                'type': 'apiKey', 'in': 'header', 'name': 'X-Auth-Token',
            }},
        },
        'security': [{'token': []}],
    }


def _described(operation: Operation) -> dict[str, Any]:
    made: dict[str, Any] = {
        'operationId': operation.name, 'summary': operation.summary,
        'description': f'Policy: ``{operation.rule}``.',
        'parameters': [
            *_parameters('path', operation.path_values),
            *_parameters('query', operation.query),
            {
                # Versions of other services may stand in it, too.
                'in': 'header', 'name': microversion.HEADER,
                'schema': {'type': 'string'},
                'example': f'{microversion.SERVICE_TYPE} {microversion.NEWEST}',
            },
        ],
        'responses': {
            '200': {'description': operation.summary, 'content': (
                {'text/html': {}} if operation.answer is None
                else _json(operation.answer)
            )},
            **{
                status: {'$ref': f'#/components/responses/{status}'}
                for status in _ERRORS
            },
        },
    }
    if operation.body is not None:
        made['requestBody'] = {
            'required': True, 'content': _json(operation.body),
        }
    return made


def _public(name: str, answer: Schema) -> dict[str, Any]:
    return {
        'operationId': name, 'security': [], 'responses': {
            '200': {'description': name, 'content': _json(answer)},
        },
    }


def _parameters(
    where: str, values: Mapping[str, Schema]
) -> list[dict[str, Any]]:
    return [
        {
            'in': where, 'name': name, 'required': where == 'path',
            'schema': schema,
        } for name, schema in values.items()
    ]


def _json(schema: Schema) -> dict[str, Any]:
    return {'application/json': {'schema': schema}}
