"""Tests of nova_ext.lint.checks.plugins."""
