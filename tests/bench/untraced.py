"""Have Nova in this process, as functional tests do, at its own pace.

Tests trace which of its names are used, and would be timed, too.
"""

import tests.functional_rpc  # noqa: F401  before all of Nova
from tests.functional import nova_names

nova_names.uninstall()
