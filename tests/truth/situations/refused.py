"""Requests that placement refuses as malformed, with a 400."""

from tests.truth.arrangements import Trait
from tests.truth.ask import Boot, Flavor
from tests.truth.model import Situation, failed


def _with(**extra: str) -> Boot:
    return Boot(Flavor(extra={
        key.replace('__', ':'): value for key, value in extra.items()
    }))


SITUATIONS = [
    Situation(
        'an unknown trait', _with(trait__CUSTOM_MISSPELT='required'),
        failed(end=('CUSTOM_MISSPELT',)), unseen=True,
    ),
    Situation(
        'an unknown resource class', _with(resources__CUSTOM_NONE='1'),
        failed(end=('CUSTOM_NONE',)), unseen=True,
    ),
    Situation(
        'a forbidden trait that is unknown',
        _with(trait__CUSTOM_MISSPELT='forbidden'),
        failed(end=('CUSTOM_MISSPELT',)), unseen=True,
    ),
    Situation(
        'a trait that is required and forbidden',
        _with(trait__CUSTOM_GOLD='required', trait1__CUSTOM_GOLD='required',
              trait__COMPUTE_STATUS_DISABLED='required'),
        failed(end=('COMPUTE_STATUS_DISABLED',)),
        (Trait('CUSTOM_GOLD', 'c1'),), unseen=True,
    ),
]
