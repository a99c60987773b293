"""The unit tests."""

import pathlib
import unittest

from tests import imports

FOLDER = pathlib.Path(__file__).parent


def load_tests(
    loader: unittest.TestLoader,
    tests: unittest.TestSuite,
    pattern: str | None,
) -> unittest.TestSuite:
    """Load all tests; see unittest's load_tests protocol."""
    with imports.kept():
        tests.addTests(loader.discover(
            str(FOLDER), pattern=pattern or 'test*.py',
            top_level_dir=str(FOLDER.parents[1]),
        ))
    return tests
