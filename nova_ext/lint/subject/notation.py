"""Find what oslo.config takes literally, and read it as it was meant.

oslo.config knows no comments behind a value, and no quotes, brackets or
semicolons in a list. The checks look at what was meant, so that one mistake
is reported once.
"""

import enum
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from shlex import quote

from nova_ext.config_files.configuration import (
    Configuration,
    Layer,
    Name,
    Value,
)
from nova_ext.core.base.finding import Location
from nova_ext.lint.subject import known_names
from nova_ext.nova_releases.declared_options import DeclaredOptions

#: Options whose items are names of classes or dotted paths.
NAME_LISTS = frozenset({
    ('filter_scheduler', 'available_filters'),
    ('filter_scheduler', 'enabled_filters'),
    ('filter_scheduler', 'weight_classes'),
})

_ASSIGNMENT = re.compile(r'(?P<option>[A-Za-z_][\w-]*)\s*[=:]\s*(?P<text>.*)')
_SECTION = re.compile(r'\[(?P<group>[^\[\]]+)\]$')
# In a text a # may belong to a password: only one between blanks is taken
# for a comment.
_COMMENT = re.compile(r'(^|[ \t]+)#([ \t].*)?$')
_COMMENT_IN_A_LIST = re.compile(r'(^|[ \t]+)(#.*|;[ \t]+\S+[ \t]+\S.*)$')
_SIGNS = {
    'a quotation mark': '"\'“”„\u2018\u2019«»', 'a bracket': '[](){}',
    'a semicolon': ';', 'an ellipsis': '…', 'a backslash': '\\',
    'a comma of another script': '\uff0c\u3001',
}
#: Signs that were meant as commas.
_COMMAS = ';\uff0c\u3001'
_ELLIPSIS = re.compile(r'…|\.{3,}')
#: An ellipsis for a whole value, or for all of an address.
_LEFT_OUT = re.compile(r'^\s*(…|\.{3,})\s*$|://(…|\.{3,})')


class Misreading(enum.Enum):
    """Name what oslo.config reads otherwise than it looks."""

    CONTINUED = enum.auto()
    COMMENT = enum.auto()
    SIGN = enum.auto()


@dataclass(frozen=True)
class Misread:
    """Represent a line that oslo.config reads otherwise than it looks."""

    kind: Misreading
    location: Location
    what: str
    fix: str


def read_as_meant(
    configuration: Configuration, declared: DeclaredOptions | None
) -> tuple[Configuration, list[Misread]]:
    """Return the configuration as it was meant, and what is misread.

    :param declared: the options of the Nova that is installed here.
    """
    names = known_names.list_options(declared)
    misread: list[Misread] = []
    layers = []
    for layer in configuration.layers:
        meant = replace(layer, settings={})
        moved: list[tuple[str, int, str]] = []
        for (group, option), values in layer.settings.items():
            for value in values:
                misread += _read(
                    layer, (group, option), value, names, declared, meant,
                    moved,
                )
        layers.append(_move(meant, moved))
    return Configuration(layers), misread


def _read(
    layer: Layer, name: Name, value: Value, names: Mapping[str, set[str]],
    declared: DeclaredOptions | None, meant: Layer,
    moved: list[tuple[str, int, str]],
) -> Iterator[Misread]:
    """Add the meant values of one to a layer; generate what is misread."""
    if value.templated or value.parts or layer.is_yaml:
        meant.add(*name, value)
        return
    first, *rest = value.text.split('\n')
    group, option = name
    lines = [first]
    added: list[tuple[str, str, int, list[str]]] = [
        (group, option, value.location.line, lines)
    ]
    is_list = known_names.find_type(declared, group, option) == 'list'
    for number, line in enumerate(rest, value.location.line + 1):
        assigned = _ASSIGNMENT.match(line)
        section = _SECTION.match(line)
        at = Location(layer.path, number)
        sed = f'sed -i \'{number}{{}}\' {quote(layer.path)}'
        if is_list and line.startswith(('#', ';')):
            lines.append('')
            yield Misread(
                Misreading.CONTINUED, at, 'the comment is indented, so it '
                f'becomes a part of [{group}] {option}', sed.format('d'),
            )
        elif section and section['group'].lower() in map(str.lower, names):
            group = section['group']
            lines = []
            moved.append((name[0], number, group))
            yield _continued(at, option, sed)
        elif assigned and assigned['option'] in names.get(
            group if group == 'DEFAULT' else group.lower(), ()
        ):
            lines = [assigned['text']]
            added.append((group, assigned['option'], number, lines))
            yield _continued(at, option, sed)
        else:
            lines.append(line)
    for home, setting, number, texts in added:
        single = replace(
            value, text='\n'.join(texts),
            location=Location(layer.path, number),
        )
        plain = _Plain(home, setting, declared, layer.path)
        cleaned = plain.clean(single)
        if cleaned:
            meant.add(home, setting, cleaned)
        yield from plain.misread


def _move(layer: Layer, moved: list[tuple[str, int, str]]) -> Layer:
    """Return a layer with what stands below an indented group in it.

    :param moved: the group that the file is in there, the line, and the
        group that the line names.
    """
    result = replace(layer, settings={})
    for (group, option), values in layer.settings.items():
        for value in values:
            homes = [
                home for outer, line, home in moved
                if outer == group and line < value.location.line
            ]
            result.add(homes[-1] if homes else group, option, value)
    return result


def _continued(at: Location, option: str, sed: str) -> Misread:
    return Misread(
        Misreading.CONTINUED, at, 'the line is indented, so it becomes a part '
        f'of {option} above it', sed.format(r's/^[ \t]*//'),
    )


class _Plain:
    """Take out of a value what does not belong to it."""

    def __init__(
        self, group: str, option: str, declared: DeclaredOptions | None,
        path: str,
    ) -> None:
        self._name = (group, option)
        self._type = known_names.find_type(declared, group, option)
        self._path = path
        self.misread: list[Misread] = []

    def clean(self, value: Value) -> Value | None:
        """Return a value without comments and stray signs; None: no value."""
        if self._type is None:
            return value
        if self._name not in NAME_LISTS and _LEFT_OUT.search(value.text):
            group, option = self._name
            self.misread.append(Misread(
                Misreading.SIGN, value.location, f'[{group}] {option}: an '
                'ellipsis stands for what a guide left out',
                f'write the value of {option}',
            ))
            return None
        lines = [
            self._drop_comment(line, number) for number, line
            in enumerate(value.text.split('\n'), value.location.line)
        ]
        text = '\n'.join(lines)
        if self._name in NAME_LISTS:
            text = self._drop_signs(text, value.location)
        return replace(value, text=text.rstrip())

    def _drop_comment(self, line: str, number: int) -> str:
        pattern = _COMMENT if self._type == 'text' and (
            self._name not in NAME_LISTS
        ) else _COMMENT_IN_A_LIST
        match = pattern.search(line)
        if not match:
            return line
        group, option = self._name
        sign = match[0].strip()[0]
        self.misread.append(Misread(
            Misreading.COMMENT, Location(self._path, number),
            f'the comment behind the value becomes a part of [{group}] '
            f'{option}',
            rf"sed -i '{number}s/[ \t]*{sign}[^{sign}]*$//' "
            f'{quote(self._path)}' if line.count(sign) == 1 else
            'put the comment on a line of its own',
        ))
        return line[:match.start()]

    def _drop_signs(self, text: str, location: Location) -> str:
        """Return the text with only commas between names."""
        stray = [
            name for name, signs in _SIGNS.items()
            if any(sign in text for sign in signs)
        ]
        hidden = sorted(
            {sign for sign in text if unicodedata.category(sign) == 'Cf'}
        )
        stray += [
            f'an invisible sign (U+{ord(sign):04X})' for sign in hidden
        ]
        if _ELLIPSIS.search(text) and 'an ellipsis' not in stray:
            stray.append('an ellipsis')
        lead = text.lstrip().startswith(('=', ':'))
        if lead:
            stray.append('a second =')
        several = self._name != ('filter_scheduler', 'available_filters')
        plain = text
        for sign in (*''.join(_SIGNS.values()), *hidden):
            plain = plain.replace(sign, ',' if sign in _COMMAS else ' ')
        plain = _ELLIPSIS.sub(lambda it: ' ' * len(it[0]), plain)
        if lead:
            plain = plain.lstrip('=: \t')
        items = [' '.join(item.split()) for item in plain.split(',')]
        if several and not stray and '' in items[:-1]:
            stray.append('an empty item between two commas')
        if not stray:
            return text
        group, option = self._name
        names = [item for item in items if item]
        self.misread.append(Misread(
            Misreading.SIGN, location,
            f'[{group}] {option}: {" and ".join(stray)} '
            f'become{"s a part" if len(stray) == 1 else " parts"} of a name'
            if 'an empty item between two commas' not in stray else
            f'[{group}] {option}: there is {stray[-1]}',
            f'write {option} = {",".join(names)}' if several
            else ' and '.join(f'write {option} = {name}' for name in names)
            or f'remove the line of {option}',
        ))
        return plain
