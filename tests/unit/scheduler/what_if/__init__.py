"""Decide what the scheduler would do."""
