"""Ask nova-ext explain, which reads the schedulers' records."""

import subprocess
import sys
from pathlib import Path

from tempest import config
from tempest.lib.common.utils import test_utils

from nova_ext.tempest_plugin import scheduler_log

CONF = config.CONF


def explain(server: str) -> str:
    """Return what nova-ext explain prints of a server.

    Each scheduler has a record of its own: the first one counts that has a
    decision about the server.

    :raises AssertionError: where none has one in time, with what was said.
    """
    printed: list[str] = []
    said: list[str] = []

    def is_explained() -> bool:
        said.clear()
        for record in CONF.nova_ext.record:
            ended = subprocess.run(  # noqa: S603  of this environment
                [Path(sys.prefix, 'bin', 'nova-ext'), 'explain', server,
                 '--record-only', '--record', record],
                capture_output=True, text=True, check=False,
            )
            if ended.returncode == 0:
                printed.append(ended.stdout)
                return True
            said.append(f'{record}: {ended.stderr.strip()}')
        return False

    # The scheduler writes a decision after it has answered.
    if not test_utils.call_until_true(
        is_explained, scheduler_log.DEADLINE_S, scheduler_log.PAUSE_S
    ):
        raise AssertionError('\n'.join(said))
    return printed[0]
