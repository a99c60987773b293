"""Count the requests to a zone, and their bytes."""

import dataclasses
import threading


@dataclasses.dataclass
class Counts:
    """Count what a zone was sent about offers, and its answers.

    :param questions: how many, and so ``given_back``.
    :param question_bytes: the longest body, and so ``answer_bytes``.
    :param bytes: of all bodies, both ways.
    """

    questions: int = 0
    given_back: int = 0
    question_bytes: int = 0
    answer_bytes: int = 0
    bytes: int = 0


class CountedApp:
    """Count the requests to an application."""

    def __init__(self, app):
        self._app = app
        self._lock = threading.Lock()
        self._counts = Counts()

    def __call__(self, environ, start_response):
        """Answer as the application does."""
        asked = int(environ['CONTENT_LENGTH'])
        body = b''.join(self._app(environ, start_response))
        with self._lock:
            counts = self._counts
            counts.bytes += asked + len(body)
            if environ['REQUEST_METHOD'] == 'POST':
                counts.questions += 1
                counts.question_bytes = max(counts.question_bytes, asked)
                counts.answer_bytes = max(counts.answer_bytes, len(body))
            else:
                counts.given_back += 1
        return [body]

    def take(self):
        """Return the counts since the last time."""
        with self._lock:
            counts, self._counts = self._counts, Counts()
            return counts
