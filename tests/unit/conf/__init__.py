"""Test the options."""
