"""Decide published traces under five configurations."""
