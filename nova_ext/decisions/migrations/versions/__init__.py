"""Hold the steps of the schema, numbered in order."""
