"""Stand for what decides a share, in a process of its own."""

import os
import signal
import time

from tests.unit.replay import samples

#: Seconds that nobody waits for.
FOR_EVER_S = 3600


def answer(share, results):
    """Send two decisions in a batch each, whose IDs name the process."""
    for number in range(2):
        results.put([samples.replayed(
            ('a', str(share.count)), number=share.number * 10 + number
        )])
    results.put(None)


def end(share, results):
    """End the process as a plugin may; the other ones go on."""
    if share.number:
        time.sleep(FOR_EVER_S)
    os._exit(7)


def end_well(share, results):
    """End the process with 0, as a plugin may."""
    os._exit(0)


def tell_interrupt(share, results):
    """Send, as an error, what an interrupt does."""
    results.put(signal.getsignal(signal.SIGINT).name)


def refuse(share, results):
    """Send an error; the other ones go on."""
    if share.number:
        time.sleep(FOR_EVER_S)
    results.put('no filter RackFilter')
