"""Name the verdicts on an explanation."""

from dataclasses import dataclass

RIGHT, VAGUE, WRONG, SILENT = 'right', 'vague', 'wrong', 'silent'
VERDICTS = (RIGHT, VAGUE, WRONG, SILENT)


@dataclass(frozen=True)
class Judgement:
    """Hold a verdict, and why it is not right."""

    verdict: str
    why: str = ''


class Finding(Exception):  # noqa: N818  no error: it ends a judgement
    """Carry a judgement that is final."""

    def __init__(self, verdict: str, why: str) -> None:
        super().__init__(why)
        self.judgement = Judgement(verdict, why)
