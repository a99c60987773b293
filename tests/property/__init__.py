"""Property tests; HYPOTHESIS_PROFILE=long looks at more cases."""

import os

from hypothesis import HealthCheck, settings

# What fails a change is to fail it every time; the long form searches. How
# long examples take depends on what else the machine does.
settings.register_profile(
    'short', deadline=None, max_examples=50, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    'long', deadline=None, max_examples=1000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get('HYPOTHESIS_PROFILE', 'short'))
