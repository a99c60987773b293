"""Decisions of all schedulers in one database."""
