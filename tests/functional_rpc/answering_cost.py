"""A cost in a plain file, with answers that a test gives it."""

from typing import ClassVar

from nova_ext.plugin import Cost


class AnsweringCost(Cost):
    """Answers in turn; raises when there is no answer left."""

    answers: ClassVar[list] = []

    def get_cost(self, host, request):
        """Give the next answer."""
        return self.answers.pop()
