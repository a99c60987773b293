"""Make filters and weighers that nothing traces but the test itself."""

import testtools

from nova_ext.scheduler.plugins import traced


class UntracedTestCase(testtools.TestCase):
    """Undo what a test before it may have left in this process.

    Who loads all filters or weighers has each instance traced from then on,
    as if it worked for a request to Nova.
    """

    def setUp(self):
        """Have Nova make plain instances."""
        super().setUp()
        traced.stop_tracing_instances()
