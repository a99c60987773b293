"""Nova with threads, as its own programs run it."""

import os


def choose() -> None:
    """Choose threads; to be called before Nova's other modules load."""
    os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'] = 'true'
    from nova import monkey_patch

    monkey_patch.patch(backend='threading')
