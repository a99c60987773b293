"""Property tests; HYPOTHESIS_PROFILE=long looks at more cases."""

import os

from hypothesis import settings

# What fails a change is to fail it every time; the long form searches.
settings.register_profile(
    'short', deadline=None, max_examples=100, derandomize=True
)
settings.register_profile('long', deadline=None, max_examples=1000)
settings.load_profile(os.environ.get('HYPOTHESIS_PROFILE', 'short'))
