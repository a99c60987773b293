"""Hold the Tempest tests, one subject a file."""
