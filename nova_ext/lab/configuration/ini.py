"""Configuration files of oslo.config."""

from collections.abc import Mapping, Sequence

Value = str | int | bool | Sequence[str]

#: Values by option by section; a sequence is a multi-valued option.
Sections = dict[str, dict[str, Value]]


def render(sections: Mapping[str, Mapping[str, Value]]) -> str:
    """Return the text of a file; values stand in it as they are given."""
    lines = []
    for section, options in sections.items():
        lines.append(f'[{section}]')
        for name, value in options.items():
            lines += [f'{name} = {one}' for one in _lines(value)]
        lines.append('')
    return '\n'.join(lines)


def literal(value: object) -> str:
    """Return a value in which ``$`` is no reference to another option."""
    return str(value).replace('$', '$$')


def _lines(value: Value) -> Sequence[str]:
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, str | int):
        return [str(value)]
    return value
