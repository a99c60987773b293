"""Run nova-ext in processes that have imported Nova already.

An interpreter of its own takes seconds for that, and so does each process
that decides a share of a journal. Real ones all the same are started by
``test_rolling_day.MovesTest.test_as_of``,
``test_shadow.ChangeTest.test_follows``,
``test_replay.ChangedTest.test_missing_plugin``, ``test_journal_export`` and
``differential.test_rolling``; and by all tests where Nova's run on eventlet,
with which none can be forked.
"""

import os
import subprocess
import sys
from multiprocessing import util
from pathlib import Path


def run(*words, timeout):
    """Run nova-ext to its end; as ``subprocess.run`` of texts."""
    return _run(*map(str, words), timeout=timeout)


def start(*words):
    """Start nova-ext; as ``subprocess.Popen`` of texts."""
    return _start(*map(str, words))


def start_new(*words):
    """Start an interpreter of its own."""
    return subprocess.Popen(
        [_PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, 'PYTHONPATH': ''},
    )


def _run_new(*words, timeout):
    return subprocess.run(
        [_PROGRAM, *words], capture_output=True, text=True, timeout=timeout,
        env={**os.environ, 'PYTHONPATH': ''}, check=False,
    )


def _run_forked(*words, timeout):
    return forked.run(_CODE, *words, timeout=timeout)


def _start_forked(*words):
    return forked.Program(_CODE, *words)


_PROGRAM = Path(sys.executable).with_name('nova-ext')


if os.environ.get('OS_NOVA_DISABLE_EVENTLET_PATCHING'):
    from tests.unit import forked

    _run, _start = _run_forked, _start_forked
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
else:
    _run, _start = _run_new, start_new
