"""What the lab can't do, each in one line."""

from nova_ext.core.base import errors


class LabError(errors.NovaExtError):
    """A lab command failed; ``str()`` says what to do."""
