"""Parse files of oslo.config in its own grammar, with line numbers."""

import re
from collections.abc import Sequence
from shlex import quote

from oslo_config import iniparser

from nova_ext.config_files.configuration import Layer, Unreadable, Value
from nova_ext.core.base.finding import Location

#: The problem whose fix needs a group, which only its reader knows.
GROUPLESS = 'an option stands before any [group]'

_MARK = '\ufeff'
#: What git leaves of a conflict.
_CONFLICT = ('<<<<<<<', '=======', '>>>>>>>')
_SKIPPED = '\0'
#: What guides write for lines that they leave out.
_ELLIPSES = {'...', '…'}
#: A line of Chef's and Puppet's templates alone.
_ERB = re.compile(r'<%.*%>')
_ASSIGNMENT = re.compile(r'[A-Za-z_][\w-]*\s*[=:]')


def parse_lines(layer: Layer, lines: Sequence[str], offset: int = 0) -> None:
    """Parse lines into a layer.

    oslo.config refuses the file at the first line that it can't read. Here
    each such line is noted, and read as it was probably meant.

    :param offset: how many lines of the file stand before these.
    """
    lines = list(lines)
    parser = _Parser(layer, lines, offset)
    if not offset and lines and lines[0].startswith(_MARK):
        lines[0] = lines[0].removeprefix(_MARK)
        parser.refuse(
            'the file begins with a byte order mark, which oslo.config takes '
            'for text', r's/^\xEF\xBB\xBF//', 1,
        )
    parser.parse(lines)


class _Parser(iniparser.BaseParser):
    """Fill a layer, and go on after a line that can't be read."""

    def __init__(
        self, layer: Layer, lines: Sequence[str], offset: int
    ) -> None:
        self.lineno = offset
        self._layer = layer
        self._lines = lines
        self._offset = offset
        self._group = ''
        self._first_line = 0
        self._last: tuple[str, Value] | None = None
        self._astray = 0
        self._in_theirs = False

    def refuse(self, problem: str, edit: str, line: int = 0) -> None:
        """Note a line that can't be read.

        :param edit: what sed does to it.
        :param line: in place of the line at hand.
        """
        at = Location(self._layer.path, line or self.lineno)
        fix = edit and f'sed -i {quote(f"{at.line}{edit}")} {quote(at.file)}'
        self._layer.unreadable.append(Unreadable(at, problem, fix))

    def new_section(self, section: str) -> None:
        """Begin a group."""
        self._group = section
        self._last = None

    def assignment(self, key: str, value: list[str]) -> None:
        """Add a setting."""
        if key == _SKIPPED or self._in_theirs:
            return
        location = Location(self._layer.path, self._first_line)
        if not self._group:
            if not self._layer.groupless:
                self.refuse(GROUPLESS, '', self._first_line)
            self._layer.groupless.append(key)
            return
        added = Value('\n'.join(value), location)
        self._layer.add(self._group, key, added)
        self._last = (key, added)

    def _split_key_value(self, line: str) -> tuple[str, list[str]]:
        self._first_line = self.lineno
        if _ERB.fullmatch(line.strip()):
            return _SKIPPED, []
        if line.startswith(_CONFLICT):
            if line.startswith(_CONFLICT[0]):
                self.refuse(
                    'git left the marks of a conflict; one of its two sides '
                    'has to go', '',
                )
            # The side that was here before is read.
            self._in_theirs = line.startswith(_CONFLICT[1])
            return _SKIPPED, []
        return super()._split_key_value(line)

    def _skip(self, problem: str, edit: str) -> tuple[str, list[str]]:
        """Refuse a line, and leave it out."""
        self.refuse(problem, edit)
        return _SKIPPED, []

    def error_invalid_assignment(  # type: ignore[override]
        self, line: str
    ) -> tuple[str, list[str]]:
        """Read ``option value`` as an assignment."""
        if line.strip() in _ELLIPSES:
            return self._skip(
                f'{line.strip()} stands for lines that a guide left out', 'd'
            )
        # Without the line's text, which may hold a password.
        option, _, value = line.partition(' ')
        if option.isidentifier() and value:
            self.refuse(
                'there is no = between the option and its value',
                r's/[ \t]\+/ = /',
            )
            return option, [value.strip()]
        return self._skip('there is no = in the line', 's/^/# /')

    def error_empty_key(self, line: str) -> None:  # type: ignore[override]
        """Leave out a value without an option."""
        self.refuse('there is no option before the =', 's/^/# /')

    def error_no_section_end_bracket(  # type: ignore[override]
        self, line: str
    ) -> str:
        """Read the group up to its bracket."""
        group, bracket, rest = line[1:].partition(']')
        if not bracket:
            group = group.split()[0] if group.split() else ''
            self.refuse(f'the ] behind [{group} is missing',
                        rf's/.*/[{group}]/')
        elif rest.strip().startswith(('#', ';')):
            self.refuse(
                f'a comment stands behind [{group}]; comments need a line of '
                'their own', r's/\].*/]/',
            )
        else:
            self.refuse(f'there is text behind [{group}]', r's/\].*/]/')
        return group

    def error_no_section_name(  # type: ignore[override]
        self, line: str
    ) -> str:
        """Go on in the group before."""
        self.refuse('the group [] has no name', 's/^/# /')
        return ''

    def error_unexpected_continuation(  # type: ignore[override]
        self, line: str
    ) -> None:
        """Read an indented line for what it says."""
        text = line.strip()
        again = self._astray == self.lineno - 1
        if text.startswith(('#', ';')):
            self._refuse_indented(line)
        elif text.startswith('['):
            self._refuse_indented(line)
            self.new_section(self._get_section(text))
        elif _ASSIGNMENT.match(text) or self._last is None:
            self._refuse_indented(line)
            self._first_line = self.lineno
            self.assignment(*super()._split_key_value(text))
        else:
            self._astray = self.lineno
            key, value = self._last
            if not again:
                self._refuse_broken_value(key)
            end = value.location.line + value.text.count('\n')
            # As many newlines as lines, so that items keep their own.
            joined = value.text + '\n' * (self.lineno - end) + text
            self._last = (key, self._layer.extend(self._group, key, joined))

    def _refuse_indented(self, line: str) -> None:
        sign = 'tab' if line.startswith('\t') else 'blank'
        self.refuse(
            f'the line begins with a {sign}: oslo.config takes it for the '
            'rest of the line above, which is complete', r's/^[ \t]*//',
        )

    def _refuse_broken_value(self, key: str) -> None:
        """Name the blank lines or comments that cut a value in two."""
        end = begin = self.lineno - 1
        while begin > self._offset + 1 and _is_empty(
            self._lines[begin - self._offset - 2]
        ):
            begin -= 1
        written = self._lines[end - self._offset - 1].strip()
        what = 'comment' if written else 'blank line'
        self.refuse(
            f'the {what} before it ends the value of {key}',
            f',{end}d' if end > begin else 'd', begin,
        )


def _is_empty(line: str) -> bool:
    return not line.strip() or line.startswith(('#', ';'))
