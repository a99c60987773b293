"""Write files that readers see whole or not at all."""

import os
import tempfile
from pathlib import Path


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Replace a file's text in one step.

    :param mode: permission bits of the new file, from its first byte on.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix='.new-')
    try:
        with os.fdopen(descriptor, 'w', encoding='utf-8') as stream:
            os.fchmod(descriptor, mode)
            stream.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
