"""Nova's own functional tests, with our manager in place of Nova's."""

import tests.functional  # noqa: F401  chooses threads before Nova is imported
