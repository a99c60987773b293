"""Run nova-ext in processes that have imported Nova already.

An interpreter of its own takes seconds for that, and so does each process
that decides a share of a journal. Real ones all the same are started by
``test_recorded_day.MovesTest.test_as_of``, ``test_rolling``, ``test_shadow``,
``test_replay.ChangedTest.test_missing_plugin`` and ``test_journal_export``.
"""

import os
import subprocess
import sys
from multiprocessing import util
from pathlib import Path

from tests.unit import forked

forked.context.set_forkserver_preload(['tests.nova_preloaded'])
# Of this process: those of Nova's tests end with each test.
util.get_temp_dir()

#: Processes that decide are copies of the program, in place of new ones.
_CODE = f"""\
import multiprocessing
context = multiprocessing.get_context('fork')
multiprocessing.get_context = lambda _: context
{forked.call('nova_ext.cmd.main:main', 'nova-ext')}
"""


def run(*words, timeout):
    """Run nova-ext to its end; as ``subprocess.run`` of texts."""
    if os.environ.get('OS_NOVA_DISABLE_EVENTLET_PATCHING'):
        return forked.run(_CODE, *words, timeout=timeout)
    # Of a process on eventlet none that is forked can be waited for.
    return subprocess.run(
        [Path(sys.executable).with_name('nova-ext'), *map(str, words)],
        capture_output=True, text=True, timeout=timeout,
        env={**os.environ, 'PYTHONPATH': ''}, check=False,
    )
