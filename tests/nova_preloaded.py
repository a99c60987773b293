"""Import what a replay imports, Nova among it; see functional.programs.

Beside the functional tests, whose package imports Nova's own tests.
"""

import importlib
import warnings

with warnings.catch_warnings():
    # Of libraries, for their authors; a program's own are its test's.
    warnings.simplefilter('ignore')
    for module in (
        # The tests' own main module, which each process imports.
        'stestr.subunit_runner.run',
        'nova_ext.cmd.main',
        'nova_ext.cmd.replay',
        'nova_ext.scheduler.ask.replay.configuration',
        'nova_ext.scheduler.ask.replay.replayer',
        'nova_ext.scheduler.ask.replay.rolling_stage',
    ):
        importlib.import_module(module)
