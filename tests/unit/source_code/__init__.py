"""Tests of nova_ext.source_code."""
