"""Define the error of the lab's commands."""

from nova_ext.core.base import errors


class LabError(errors.NovaExtError):
    """Say in one line why a lab command failed and what to do."""
