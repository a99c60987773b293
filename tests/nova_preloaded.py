"""Import what a replay imports, Nova among it; see functional.programs.

Beside the functional tests, whose package imports Nova's own tests.
"""

from tests.unit import forked

forked.preload(
    # The tests' own main module, which each process imports.
    'stestr.subunit_runner.run',
    'nova_ext.cmd.main',
    'nova_ext.cmd.replay',
    'nova_ext.scheduler.what_if.replay.configuration',
    'nova_ext.scheduler.what_if.replay.replayer',
    'nova_ext.scheduler.what_if.replay.rolling.rolling_stage',
)
