"""Runs the property and differential tests along with the unit tests."""

import pathlib
import unittest

ROOT = pathlib.Path(__file__).parents[2]


def load_tests(
    loader: unittest.TestLoader,
    tests: unittest.TestSuite,
    pattern: str | None,
) -> unittest.TestSuite:
    """Load the tests of both folders; see unittest's load_tests protocol."""
    return unittest.TestSuite(
        loader.discover(
            str(ROOT / 'tests' / folder),
            pattern=pattern or 'test*.py',
            top_level_dir=str(ROOT),
        )
        for folder in ('property', 'differential')
    )
