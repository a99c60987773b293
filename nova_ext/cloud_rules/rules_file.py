"""Read a file of rules, and say where and how it is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.finding import Location

#: What every rule may have.
NAME = {'name': {'type': 'string', 'minLength': 1}}
_TYPES = {
    'string': 'a text', 'array': 'a list', 'object': 'a mapping',
    'integer': 'a whole number', 'boolean': 'true or false',
}

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class CloudRule:
    """Represent one rule.

    :param key: names its kind.
    :param fields: its keys and values, as they are written.
    """

    key: str
    fields: Mapping[str, Any]
    location: Location

    @property
    def name(self) -> str:
        """Return its name, or else what it says, as a sentence."""
        return str(self.fields.get('name') or ', '.join(
            f'{key} {_write(value)}' for key, value in self.fields.items()
        ))


def read(path: str, schemas: Mapping[str, Schema]) -> list[CloudRule]:
    """Read a file.

    :param schemas: of each kind of rule, by the key that it alone has.
    :raises NovaExtError: for a file that is wrong: in one line, file, line
        and what is right.
    """
    text = _read_text(path)
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        problem = getattr(error, 'problem', None) or 'it can\'t be read'
        raise _refuse(path, mark.line if mark else 0, f'no YAML: {problem}'
                      ) from None
    listed = _find(path, root, 'rules')
    if not isinstance(listed, yaml.SequenceNode) or not listed.value:
        raise _refuse(
            path, listed.start_mark.line, 'rules is no list of rules; write '
            '"- " before each'
        )
    return [_read_rule(path, node, schemas) for node in listed.value]


def _read_text(path: str) -> str:
    try:
        return Path(path).read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or 'it is no UTF-8'
        raise NovaExtError(f'{path} can\'t be read: {reason}') from None


def _find(path: str, root: Any, key: str) -> Any:
    """Return the node of the only key of a file."""
    entries = root.value if isinstance(root, yaml.MappingNode) else []
    for name, _ in entries:
        if name.value != key:
            raise _refuse(
                path, name.start_mark.line,
                f'there is no {name.value!r} here; write {key}:',
            )
    if len(entries) != 1:
        raise _refuse(
            path, 0, f'write {key}: once, and the list of rules below it; '
            f'nova-ext check --init writes a first file'
        )
    return entries[0][1]


def _read_rule(
    path: str, node: Any, schemas: Mapping[str, Schema]
) -> CloudRule:
    line = node.start_mark.line
    if not isinstance(node, yaml.MappingNode):
        raise _refuse(path, line, f'a rule is a mapping with one of the keys '
                      f'{_join(schemas)}')
    _refuse_twice(path, node)
    fields = yaml.SafeLoader('').construct_document(node)
    keys = [key for key in schemas if key in fields]
    if len(keys) != 1:
        have = f'it has {_join(keys)}' if keys else _suggest(fields, schemas)
        raise _refuse(
            path, line, f'a rule has one of the keys {_join(schemas)}; {have}'
        )
    validator = jsonschema.Draft202012Validator(schemas[keys[0]])
    errors = sorted(
        validator.iter_errors(fields),
        # A key that is misspelt is missing, too: the first of these helps.
        key=lambda error: (str(error.path), error.validator == 'required'),
    )
    for error in errors:
        raise _refuse(path, *_describe(error, node, line))
    return CloudRule(keys[0], fields, Location(path, line + 1))


def _refuse_twice(path: str, node: Any) -> None:
    seen = set()
    for key, _ in node.value:
        if key.value in seen:
            raise _refuse(
                path, key.start_mark.line, f'{key.value!r} is there twice'
            )
        seen.add(key.value)


def _describe(error: Any, node: Any, line: int) -> tuple[int, str]:
    """Return the line of an error, from 0, and what is right there."""
    where = ''
    for step in error.path:
        where = where or str(step)
        if isinstance(node, yaml.MappingNode):
            node = next(
                value for key, value in node.value if key.value == step
            )
        elif isinstance(node, yaml.SequenceNode):
            node = node.value[step]
        line = node.start_mark.line
    if error.validator == 'required':
        missing = next(
            key for key in error.validator_value if key not in error.instance
        )
        return line, f'{missing!r} is missing'
    if error.validator == 'additionalProperties':
        known = error.schema['properties']
        key = next(key for key in error.instance if key not in known)
        for name, _ in node.value:
            line = name.start_mark.line if name.value == key else line
        return line, (
            f'there is no {key!r} in such a rule; {_meant(key, known)}'
        )
    if how := error.schema.get('description'):
        return line, f'{where}: {error.instance!r}; {how}'
    if error.validator == 'type' and isinstance(error.validator_value, str):
        return line, (
            f'{where}: {error.instance!r} is not '
            f'{_TYPES[error.validator_value]}'
        )
    return line, f'{where}: {error.message}'


def _suggest(fields: Mapping[str, Any], schemas: Mapping[str, Schema]) -> str:
    for field in fields:
        if close := get_close_matches(str(field), schemas, 1):
            return f'did you mean {close[0]!r}?'
    return f'this one has {_join(map(str, fields))}'


def _meant(key: Any, known: Mapping[str, Any]) -> str:
    close = get_close_matches(str(key), known, 1)
    return f'did you mean {close[0]!r}?' if close else f'write {_join(known)}'


def _refuse(path: str, line: int, problem: str) -> NovaExtError:
    return NovaExtError(f'{Location(path, line + 1)}: {problem}')


def _join(names: Any) -> str:
    return ', '.join(map(repr, names))


def _write(value: Any) -> str:
    return ', '.join(_iterate(value))


def _iterate(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield f'{key}={each}'
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from map(str, value)
    else:
        yield str(value)
