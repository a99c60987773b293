"""Read Nova's configuration as nova-scheduler does."""

import sys
from collections.abc import Sequence
from typing import Any

from nova import config


def read(words: Sequence[str], **names: Any) -> None:
    """Read what words of a command line name, or nova-scheduler's own files.

    oslo.config looks for files that are named after the program. Before
    Nova 33 its name can't be handed over.

    :param words: ``--config-file`` and ``--config-dir`` with their values.
    :param names: as of Nova's ``parse_args``.
    :raises oslo_config.cfg.Error: for a file that can't be read.
    """
    program, sys.argv[0] = sys.argv[0], 'nova-scheduler'
    try:
        config.parse_args(['nova-scheduler', *words], **names)
    finally:
        sys.argv[0] = program
