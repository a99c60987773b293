"""What happens when something fails, on labs and on Nova's own fixtures."""

import tests.functional  # noqa: F401  chooses threads before Nova is imported
