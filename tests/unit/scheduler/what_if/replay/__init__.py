"""Make decisions of a journal again."""
