"""From what arrives over HTTP to values that fit their schemas."""

from collections.abc import Mapping
from typing import Any

import flask
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from werkzeug import exceptions

from nova_ext.api.http import errors
from nova_ext.api.http.schemas import Schema

#: Digits of a number in a path or behind it.
_DIGITS = 19
#: Letters of what is wrong with a value.
_LETTERS = 200


def query(
    given: Mapping[str, list[str]], known: Mapping[str, Schema]
) -> dict[str, Any]:
    """The values behind a path.

    :raises HttpError: for one that is not known, twice there, or not fit.
    """
    found = {}
    for name, values in given.items():
        if name not in known:
            raise errors.invalid(
                f'query {name!r:.99} is not known; known are: '
                f'{", ".join(known) or "none"}'
            )
        if len(values) > 1:
            raise errors.invalid(f'query {name} is there more than once')
        found[name] = _number(values[0], known[name])
        _check(found[name], known[name], f'query {name}')
    return found


def path(
    given: Mapping[str, str], known: Mapping[str, Schema]
) -> dict[str, Any]:
    """The values within a path.

    :raises HttpError: for what can't be there.
    """
    found = {}
    for name, text in given.items():
        found[name] = _number(text, known[name])
        if not Draft202012Validator(known[name]).is_valid(found[name]):
            raise errors.not_found(
                f'{name.removesuffix("_id")} of this {name}'
            )
    return found


def body(request: flask.Request, schema: Schema | None) -> Any:
    """The body.

    :raises HttpError: for one that is no JSON, or not fit.
    """
    if schema is None:
        return {}
    try:
        given = request.get_json()
    except exceptions.UnsupportedMediaType:
        raise errors.HttpError(
            415, 'unsupported_media_type',
            'the body has to be application/json',
        ) from None
    except (exceptions.BadRequest, RecursionError):
        raise errors.invalid('the body is no JSON') from None
    _check(given, schema, 'the body')
    return given


def _number(text: str, schema: Schema) -> Any:
    digits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if schema.get('type') == 'integer' and digits else text


def _check(value: Any, schema: Schema, what: str) -> None:
    try:
        wrong = best_match(Draft202012Validator(schema).iter_errors(value))
    except RecursionError:
        raise errors.invalid(f'{what} is nested too deeply') from None
    if wrong is None:
        return
    place = '.'.join(str(part)[:99] for part in wrong.absolute_path)
    told = ' '.join(wrong.message.split())
    raise errors.invalid(
        f'{what}{f", {place}" if place else ""}: {told[:_LETTERS]}'
    )
