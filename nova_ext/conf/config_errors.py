"""Describe in one line why configuration can't be read; quote none of it."""

import re

from oslo_config import cfg

#: What reading a configuration raises: oslo.config lets some errors of
#: Python's through.
ERRORS = (cfg.Error, OSError, UnicodeDecodeError)
#: How oslo.config names the file of a wrong value.
_LOCATION = re.compile(r" from LocationInfo\(.*?, detail='([^']*)'\)")


def describe(error: Exception) -> str:
    """Return the reason, in words for a person.

    oslo.config quotes a line that it can't parse. The line may hold a
    password, so only its number is given.

    :param error: what reading it raised, one of ``ERRORS``.
    """
    if isinstance(error, UnicodeDecodeError):
        return 'a configuration file is no UTF-8 text'
    if isinstance(error, OSError):
        return f'{error.filename} can\'t be read: {error.strerror}'
    if not isinstance(error, cfg.ConfigFileParseError):
        return _LOCATION.sub(r' in \1', ' '.join(str(error).split()))
    line = re.search(r':(\d+), ', error.msg or '')
    if line is None:
        return f'{error.config_file} is no configuration file'
    return f'{error.config_file}:{line[1]} sets no option; correct it'
