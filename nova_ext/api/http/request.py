"""Read a request: who sends it, and values that fit their schemas."""

import itertools
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import flask
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import best_match
from werkzeug import exceptions

from nova_ext.api.configuration import Backends
from nova_ext.api.http import errors
from nova_ext.api.http.fair_share import Turn
from nova_ext.api.schemas.parts import Schema
from nova_ext.policy import enforcer

#: Digits of a number in a path or a query.
_DIGITS = 19
#: Floats beyond are no integers in any schema, and take long as such.
_MAX_INTEGER = 2.0 ** 63
#: Letters that say what is wrong with a value.
_LETTERS = 200
#: Bytes of a body from which on checking it takes a while: up to a second.
_LONG_BYTES = 16 * 1024
#: To check a long body.
TURN = Turn()
#: Errors of a value among which the most useful one is reported.
_ERRORS = 10


def _bound(keyword: str) -> Callable[..., Iterator[Any]]:
    """Return the check of a keyword that passes over what is too long.

    That is an error already, and millions of elements take hours or all
    memory.
    """
    check = Draft202012Validator.VALIDATORS[keyword]

    def check_bounded(
        validator: Any, value: Any, instance: Any, schema: Any
    ) -> Iterator[Any]:
        limit = 'maxItems' if isinstance(instance, list) else 'maxProperties'
        is_long = isinstance(instance, list | dict) and (
            len(instance) > schema.get(limit, math.inf)
        )
        if not is_long and not (
            keyword == 'items' and isinstance(instance, list)
            and _are_names(value, instance)
        ):
            yield from check(validator, value, instance, schema) or ()

    return check_bounded


def _are_names(schema: Schema, values: list[Any]) -> bool:
    """Say whether all values fit a schema of strings, if it is one.

    jsonschema takes ten times as long, and a body has thousands of them.
    """
    names = {'type', 'maxLength', 'pattern'}
    return schema.keys() == names and schema['type'] == 'string' and all(
        isinstance(value, str) and len(value) <= schema['maxLength']
        and re.search(schema['pattern'], value) for value in values
    )


_Validator = validators.extend(Draft202012Validator, {
    keyword: _bound(keyword) for keyword in (
        'items', 'uniqueItems', 'additionalProperties', 'propertyNames',
    )
})


@dataclass(frozen=True)
class Request:
    """Represent a request for one operation.

    :param context: the caller's oslo.context.
    :param root_url: URL of the API, without a slash at its end.
    :param path: values within the path.
    :param query: values behind the path.
    :param body: empty where the operation takes none.
    :param auth: keystonemiddleware's, with the caller's token and catalog.
    :param allowed: by policy, what was found out for this request.
    """

    context: Any
    backends: Backends
    root_url: str
    path: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    auth: Any = None
    allowed: dict[str, bool] = field(default_factory=dict)

    def allows(self, rule: str) -> bool:
        """Say whether a policy allows the caller's own project something.

        oslo.policy looks for a changed file each time, so it is asked once.
        """
        if rule not in self.allowed:
            self.allowed[rule] = enforcer.allows(
                rule, self.context, self.context.project_id or ''
            )
        return self.allowed[rule]

    def require(self, rule: str) -> None:
        """Refuse a caller whom a policy does not allow it.

        :raises HttpError: naming the policy.
        """
        if not self.allows(rule):
            raise errors.HttpError(
                403, 'forbidden', f'policy {rule} does not allow it'
            )


def read_query(
    values: Mapping[str, list[str]], schemas: Mapping[str, Schema]
) -> dict[str, Any]:
    """Return the values behind a path.

    :raises HttpError: for one that is unknown, repeated, or does not fit.
    """
    query = {}
    for name, texts in values.items():
        if name not in schemas:
            raise errors.invalid(
                f'query {name!r:.99} is not known; known are: '
                f'{", ".join(schemas) or "none"}'
            )
        if len(texts) > 1:
            raise errors.invalid(f'query {name} is there more than once')
        query[name] = _parse(texts[0], schemas[name])
        _check(query[name], schemas[name], f'query {name}')
    return query


def read_path(
    values: Mapping[str, str], schemas: Mapping[str, Schema]
) -> dict[str, Any]:
    """Return the values within a path.

    :raises HttpError: for one that names nothing that can exist.
    """
    path = {}
    for name, text in values.items():
        path[name] = _parse(text, schemas[name])
        if not _Validator(schemas[name]).is_valid(path[name]):
            raise errors.not_found(
                f'{name.removesuffix("_id")} of this {name}'
            )
    return path


def read_body(
    request: flask.Request, schema: Schema | None, max_bytes: int
) -> Any:
    """Return the body.

    :param schema: None: the operation takes none.
    :raises HttpError: for a body that is too long, is no JSON, or does not
        fit.
    """
    if schema is None:
        return {}
    if not request.is_json:
        raise errors.HttpError(
            415, 'unsupported_media_type',
            'the body has to be application/json',
        )
    try:
        data = _read_bytes(request, max_bytes)
    except exceptions.BadRequest:
        raise errors.invalid('the body is no JSON') from None
    with TURN.take(is_long=len(data) > _LONG_BYTES):
        body = _parse_body(data)
        _check(body, schema, 'the body')
    return body


def _parse_body(data: bytes) -> Any:
    try:
        body = _read_integers(json.loads(data))
        # Half a surrogate is JSON, and no text that a database takes.
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise errors.invalid('the body has text that is no Unicode') from None
    except (RecursionError, ValueError):
        raise errors.invalid('the body is no JSON') from None
    return body


def _read_bytes(request: flask.Request, max_bytes: int) -> bytes:
    """Return the bytes of the body, which may come in chunks.

    werkzeug only cuts a body that comes in chunks.
    """
    body = bytearray()
    if (request.content_length or 0) <= max_bytes:
        while len(body) <= max_bytes and (
            part := request.stream.read(max_bytes + 1 - len(body))
        ):
            body += part
        if len(body) <= max_bytes:
            return bytes(body)
    raise errors.HttpError(
        413, 'request_entity_too_large',
        f'the body is longer than {max_bytes} bytes',
    )


def _read_integers(value: Any) -> Any:
    """Return the value with 1 for 1.0, an integer in a schema of JSON.

    :raises HttpError: for NaN and infinity, which Python reads, and which no
        bound of a schema keeps out.
    """
    if isinstance(value, float):
        if not math.isfinite(value):
            raise errors.invalid(
                f'the body has {value}, which is no finite number'
            )
        is_integer = value.is_integer() and abs(value) < _MAX_INTEGER
        return int(value) if is_integer else value
    if isinstance(value, list):
        return [_read_integers(each) for each in value]
    if isinstance(value, dict):
        return {name: _read_integers(each) for name, each in value.items()}
    return value


def _parse(text: str, schema: Schema) -> Any:
    """Return a number where the schema wants one and the text is one."""
    digits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if schema.get('type') == 'integer' and digits else text


def _check(value: Any, schema: Schema, name: str) -> None:
    try:
        error = best_match(itertools.islice(
            _Validator(schema).iter_errors(value), _ERRORS
        ))
    except RecursionError:
        raise errors.invalid(f'{name} is nested too deeply') from None
    if error is None:
        return
    place = '.'.join(str(part)[:99] for part in error.absolute_path)
    message = ' '.join(error.message.split())
    raise errors.invalid(
        f'{name}{f", {place}" if place else ""}: {message[:_LETTERS]}'
    )
