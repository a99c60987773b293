"""Why configuration can't be read, in one line that quotes none of it."""

import re

from oslo_config import cfg

#: What reading a configuration raises: oslo.config lets some errors of
#: Python's through.
ERRORS = (cfg.Error, OSError, UnicodeDecodeError)


def why(error: Exception) -> str:
    """The reason, in words for a person.

    oslo.config quotes a line that it can't parse, in which a password may
    stand: the line's number has to do.

    :param error: what reading it raised, one of ``ERRORS``.
    """
    if isinstance(error, UnicodeDecodeError):
        return 'a configuration file is no UTF-8 text'
    if isinstance(error, OSError):
        return f'{error.filename} can\'t be read: {error.strerror}'
    if not isinstance(error, cfg.ConfigFileParseError):
        return ' '.join(str(error).split())
    found = re.search(r':(\d+), ', error.msg or '')
    if found is None:
        return f'{error.config_file} is no configuration file'
    return f'{error.config_file}:{found[1]} sets no option; mend it'
