"""Requests that placement refuses as malformed, with a 400."""

from tests.truth.arrangements import Image, Trait
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
        'a trait that the image requires and the flavor forbids', Boot(
            Flavor(extra={'trait:CUSTOM_GOLD': 'forbidden'}), image='gold',
        ), failed(end=('CUSTOM_GOLD',)), (
            Trait('CUSTOM_GOLD', 'c1'),
            Image('gold', {'trait:CUSTOM_GOLD': 'required'}),
        ), unseen=True,
    ),
]
