"""A decision to look at: one file for a browser, with all it needs in it."""
