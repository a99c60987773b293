"""Define what schemas of several resources have in common."""

from typing import Any

Schema = dict[str, Any]

#: Limits of the columns of Nova's database and ours.
INT32 = 2**31 - 1
INT64 = 2**63 - 1
#: End a pattern. Python's ``$`` alone lets a line feed follow.
END = '$(?!\\n)'
#: Items of a list that is long; with names of 100 letters it fits a body.
MANY = 1_000

#: A name without control characters.
NAME: Schema = {
    'type': 'string', 'maxLength': 255, 'pattern': f'^[^\\x00-\\x1f]*{END}',
}
WORD: Schema = {**NAME, 'minLength': 1}
TEXT: Schema = {'type': 'string'}
COUNT: Schema = {'type': 'integer', 'minimum': 0}
NUMBER: Schema = {'type': 'number'}
FLAG: Schema = {'type': 'boolean'}
AMOUNT: Schema = {'type': 'integer', 'minimum': 0, 'maximum': INT32}
#: The key of a row.
ROW_ID: Schema = {'type': 'integer', 'minimum': 1, 'maximum': INT64}
ID: Schema = {'type': 'string', 'pattern': '^[A-Za-z0-9._-]{1,64}' + END}
UUID_PATTERN = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
UUID: Schema = {'type': 'string', 'pattern': f'^{UUID_PATTERN}{END}'}
#: Rows of one answer.
LIMIT: Schema = {'type': 'integer', 'minimum': 1, 'maximum': 1000}


def closed(required: list[str] | None = None, **properties: Any) -> Schema:
    """Return the schema of an object with these properties and no others."""
    schema: Schema = {
        'type': 'object', 'properties': properties,
        'additionalProperties': False,
    }
    return {**schema, 'required': required} if required else schema


def answer(**properties: Any) -> Schema:
    """Return the schema of an object with at least these properties."""
    return {
        'type': 'object', 'properties': properties,
        'required': list(properties),
    }


def extend(schema: Schema, **properties: Any) -> Schema:
    """Return the schema of such an object with more properties."""
    return answer(**schema['properties'], **properties)


def list_of(items: Any) -> Schema:
    """Return the schema of a list."""
    return {'type': 'array', 'items': items}


def map_of(values: Any) -> Schema:
    """Return the schema of an object with any names."""
    return {'type': 'object', 'additionalProperties': values}


def or_null(schema: Any) -> Schema:
    """Return the schema of a value that may be absent."""
    return {'anyOf': [schema, {'type': 'null'}]}


LINK = answer(rel=TEXT, href=TEXT)
