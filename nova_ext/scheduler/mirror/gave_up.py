"""Say that a request is left to Nova."""


class GaveUpError(Exception):
    """Say why a request is left to Nova, in a few words without numbers."""
