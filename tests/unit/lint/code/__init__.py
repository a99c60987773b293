"""Tests of nova_ext.lint.code."""
