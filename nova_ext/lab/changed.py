"""Settings of a lab that hold for a while."""

import contextlib
from collections.abc import Collection, Iterator

from nova_ext.core.progress import Progress
from nova_ext.lab import lifecycle, states
from nova_ext.lab.place import Place
from nova_ext.lab.settings import Settings
from nova_ext.lab.wanted import Wanted


def settings(place: Place, wish: Settings, progress: Progress) -> bool:
    """Bring a lab up with some settings.

    :returns: False when it was up with them already.
    """
    return lifecycle.up(place, Wanted(settings=wish), progress)


@contextlib.contextmanager
def restored(
    place: Place, names: Collection[str], progress: Progress
) -> Iterator[None]:
    """Give some settings back as they were, whatever happens.

    :param names: options, as GROUP.OPTION.
    """
    before = states.load(place).settings
    try:
        yield
    finally:
        lifecycle.up(
            place,
            Wanted(
                settings={n: v for n, v in before.items() if n in names},
                unset=[name for name in names if name not in before],
            ),
            progress,
        )
