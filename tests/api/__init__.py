"""Hold the API against its own description."""
