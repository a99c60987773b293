"""A process that answers without Nova, and does what a plugin may do."""

import os
import time

from nova_ext.replay.shadow import worker
from tests.unit.replay import samples


def run(task, connection, running):
    """Answer: the ID of a decision says what happens."""
    if task.setup.plugins:
        what = task.setup.plugins[0]
        if what == 'exit':
            os._exit(3)
        connection.send(what)
        return
    connection.send(None)
    while True:
        _, number, _ = connection.recv()
        connection.send(worker.BEGUN)
        running.value = f'filter F{number}'.encode()
        if number == 2:
            time.sleep(600)
        if number == 3:
            os._exit(5)
        if number == 4:
            os._exit(worker.FULL)
        if number == 5:
            os.abort()
        connection.send(
            'nothing there' if number == 6
            else samples.replayed(samples.A, number=number)
        )
