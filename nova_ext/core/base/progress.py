"""Show the steps of a long command, with their seconds, on stderr."""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

_SILENCE_S = 3.0


class Progress:
    """Write one line a step, and its progress during long ones.

    :param stream: on a terminal the line is rewritten.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._rewrites = self._stream.isatty()
        self._detail = ''

    @contextlib.contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Show a step while it runs, and its seconds at the end."""
        begun = time.monotonic()
        self._detail = ''
        ended = threading.Event()
        watcher = threading.Thread(
            target=self._watch, args=(title, begun, ended), daemon=True
        )
        watcher.start()
        mark = '✗'
        try:
            yield
            mark = '✓'
        finally:
            ended.set()
            watcher.join()
            took = time.monotonic() - begun
            self._write(f' {mark} {title} ({took:.1f} s)', last=True)

    def detail(self, text: str) -> None:
        """Set what the running step is doing."""
        self._detail = text

    def say(self, text: str) -> None:
        """Write one line between steps."""
        self._write(text, last=True)

    def _watch(
        self, title: str, begun: float, ended: threading.Event
    ) -> None:
        pause = 0.2 if self._rewrites else _SILENCE_S
        while not ended.wait(pause):
            took = time.monotonic() - begun
            detail = f': {self._detail}' if self._detail else ''
            self._write(f' • {title}{detail} ({took:.0f} s)', last=False)

    def _write(self, line: str, last: bool) -> None:
        # What is undone after a terminal was closed must not fail.
        with contextlib.suppress(OSError):
            if self._rewrites:
                end = '\n' if last else ''
                self._stream.write(f'\r\x1b[K{line}{end}')
            else:
                self._stream.write(f'{line}\n')
            self._stream.flush()
