"""Run two commands side by side: side_by_side.py COMMAND --beside COMMAND.

What the second one prints comes after all that the first one prints. The
status is 0 if both ended with 0. Ctrl-C ends both.
"""

import shutil
import signal
import subprocess
import sys
import tempfile


def main(words):
    """Run both to their end, and return the status."""
    at = words.index('--beside')
    with tempfile.TemporaryFile() as printed:
        # Commands of tox.ini.
        first = subprocess.Popen(words[:at])  # noqa: S603
        second = subprocess.Popen(  # noqa: S603
            words[at + 1:], stdin=subprocess.DEVNULL, stdout=printed,
            stderr=subprocess.STDOUT,
        )
        try:
            statuses = [first.wait(), second.wait()]
        except KeyboardInterrupt:
            for each in (first, second):
                each.send_signal(signal.SIGINT)
                each.wait()
            raise
        finally:
            printed.seek(0)
            shutil.copyfileobj(printed, sys.stdout.buffer)
    return int(any(statuses))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
