"""What explain says, with a cloud on Nova's own fixtures to speak of."""

import tests.functional  # noqa: F401  chooses threads before Nova is imported
