"""Runs the property tests along with the unit tests."""

import pathlib
import unittest

ROOT = pathlib.Path(__file__).parents[2]


def load_tests(
    loader: unittest.TestLoader,
    tests: unittest.TestSuite,
    pattern: str | None,
) -> unittest.TestSuite:
    """Load tests/property; see unittest's load_tests protocol."""
    return loader.discover(
        str(ROOT / 'tests' / 'property'),
        pattern=pattern or 'test*.py',
        top_level_dir=str(ROOT),
    )
