"""Provide a driver that takes a moment, and writes each run down."""

import os
import pathlib
import time

from nova_ext.plugin import Driver, schedule_method

#: Seconds that a run takes.
WORK_S = 0.05
RUNS = pathlib.Path(__file__).with_name('runs')


class WorkDriver(Driver):
    """Run tickets."""

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
        """Return the process id, and the services that it knows."""
        return os.getpid(), self.hosts_up(context, topic)
