"""Read the scheduler's log, from files or from a journal."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from tempest import config
from tempest.lib.common.utils import test_utils

CONF = config.CONF

#: Seconds until a logged line, or a decision, must be readable.
DEADLINE_S = 20
PAUSE_S = 0.5


def is_configured() -> bool:
    """Say whether tempest.conf names the log."""
    group = CONF.nova_ext
    return bool(group.scheduler_logs or group.scheduler_journal_unit)


def wait_for_line(*words: str) -> bool:
    """Wait for a line that holds all the words, such as a request's id.

    :returns: False when there is none in time.
    """
    return test_utils.call_until_true(
        lambda: any(
            all(word in line for word in words) for line in _read_lines()
        ), DEADLINE_S, PAUSE_S,
    )


def _read_lines() -> Iterator[str]:
    if CONF.nova_ext.scheduler_logs:
        for name in CONF.nova_ext.scheduler_logs:
            yield from Path(name).read_text(errors='replace').splitlines()
        return
    unit = CONF.nova_ext.scheduler_journal_unit
    yield from subprocess.run(  # noqa: S603  of the system
        ['journalctl', f'--unit={unit}', '--output=cat'],  # noqa: S607
        capture_output=True, text=True, errors='replace', check=True,
    ).stdout.splitlines()
