"""Settings of a lab that hold for a while."""

import contextlib
from collections.abc import Collection, Iterator

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import up
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.desired_state import Wanted
from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.settings import Settings


def settings(place: Place, wish: Settings, progress: Progress) -> bool:
    """Bring a lab up with some settings.

    :returns: False when it was up with them already.
    """
    return up.up(place, Wanted(settings=wish), progress)


@contextlib.contextmanager
def restored(
    place: Place, names: Collection[str], progress: Progress
) -> Iterator[None]:
    """Give some settings back as they were, whatever happens.

    :param names: options, as GROUP.OPTION.
    """
    before = lab_state.load(place).settings
    try:
        yield
    finally:
        up.up(
            place,
            Wanted(
                settings={n: v for n, v in before.items() if n in names},
                unset=[name for name in names if name not in before],
            ),
            progress,
        )
