"""A driver whose method takes a moment, and leaves a trace of each run."""

import os
import pathlib
import time

from nova_ext.core.extension import Driver, schedule_method

#: Seconds that a run takes.
WORK_S = 0.05
RUNS = pathlib.Path(__file__).with_name('runs')


class WorkDriver(Driver):
    """Runs tickets."""

    topic = 'work'

    @schedule_method
    def run(self, context, ticket):
        """Write the ticket down, and work."""
        with RUNS.open('a') as runs:
            runs.write(f'{ticket}\n')
        time.sleep(WORK_S)
        return ticket

    @schedule_method
    def look(self, context, topic):
        """Who answers, and which services it knows."""
        return os.getpid(), self.hosts_up(context, topic)
