"""How many files a process may have open."""

import resource


def allow_many() -> None:
    """Raise the limit to the most that the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
