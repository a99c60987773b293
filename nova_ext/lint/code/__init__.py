"""Reads plugins' source text; nothing in it is imported or run."""
