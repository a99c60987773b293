"""The last word of ``tox -e lab``: tox itself speaks after its commands."""

import atexit
from pathlib import Path

from tox.plugin import impl


@impl
def tox_after_run_commands(tox_env, exit_code, outcomes):
    """Have .ci/after-lab's last word said once tox has ended."""
    if tox_env.name == 'lab' and exit_code == 0:
        word = Path(tox_env.env_dir, 'last-word').read_text()
        atexit.register(print, word, end='')
