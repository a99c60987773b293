"""What programs ask of the scheduler over RPC, on Nova's own fixtures."""

import tests.functional  # noqa: F401  chooses threads before Nova is imported
