"""The API against its own description."""
