"""Read a file's lines, and find what is not UTF-8."""

from pathlib import Path
from shlex import quote

from nova_ext.config_files.configuration import Unreadable
from nova_ext.core.base import errors
from nova_ext.core.base.finding import Location

#: How a file in UTF-16 begins.
UTF_16 = (b'\xff\xfe', b'\xfe\xff')
#: How ``surrogateescape`` shows a byte that is not UTF-8.
_ESCAPED = range(0xdc80, 0xdd00)


def read_lines(path: str) -> tuple[list[str], list[Unreadable]]:
    """Read the lines of a file, as Python's open() splits them.

    :returns: the lines, with a replacement for each byte that is not UTF-8;
        and what is said of such bytes.
    :raises NovaExtError: for a file that can't be read.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise errors.NovaExtError(
            f'{path} can\'t be read: {error.strerror}'
        ) from error
    if raw.startswith(UTF_16):
        unreadable = Unreadable(
            Location(path, 1), 'the file is UTF-16; it has to be UTF-8',
            f'iconv -f UTF-16 -t UTF-8 {quote(path)} > {quote(path)}.utf-8 '
            f'&& cp {quote(path)}.utf-8 {quote(path)} '
            f'&& rm {quote(path)}.utf-8',
        )
        return _split(raw.decode('utf-16', 'replace')), [unreadable]
    lines = _split(raw.decode('utf-8', 'surrogateescape'))
    wrong = {
        number: sorted({ord(sign) - 0xdc00 for sign in line
                        if ord(sign) in _ESCAPED}, reverse=True)
        for number, line in enumerate(lines, 1)
        if not line.isascii() and any(ord(sign) in _ESCAPED for sign in line)
    }
    if not wrong:
        return lines, []
    for number in wrong:
        lines[number - 1] = lines[number - 1].encode(
            'utf-8', 'surrogateescape'
        ).decode('utf-8', 'replace')
    return lines, [_describe(path, wrong)]


def _split(text: str) -> list[str]:
    lines = text.replace('\r\n', '\n').replace('\r', '\n').split('\n')
    return lines if lines[-1] else lines[:-1]


def _describe(path: str, wrong: dict[int, list[int]]) -> Unreadable:
    """Say which bytes are wrong, and how they become UTF-8.

    :param wrong: the bytes by line.
    """
    first, signs = next(iter(wrong.items()))
    more = f' (also on line {", ".join(map(str, list(wrong)[1:]))})'
    edits = ';'.join(
        rf'{number}s/\x{byte:02x}/\xc{2 + (byte >= 0xc0)}\x{byte & 0xbf:02x}/g'
        for number, bytes_ in wrong.items() for byte in bytes_
    )
    return Unreadable(
        Location(path, first),
        f'byte 0x{signs[0]:02x} is not UTF-8{more * (len(wrong) > 1)}; '
        'nova-scheduler ends with a UnicodeDecodeError, also where it stands '
        'in a comment',
        # What other encodings than Latin-1 mean is not known.
        f'LC_ALL=C sed -i {quote(edits)} {quote(path)}',
    )
