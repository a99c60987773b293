"""Nova's lock of cell databases, with which no test can get stuck.

Its readers wait for writers that wait. A thread with a transaction in hand
reads, too; a reader may wait for just that transaction, and a writer for the
reader: then all three wait for good. It takes servers that are created at the
same time.
"""

import importlib

import fixtures

# The package has another module by that name.
_novas = importlib.import_module('nova.tests.fixtures.nova')


class _Lock(_novas.ReaderWriterLock):
    has_pending_writers = False


class ReadersFirst(fixtures.Fixture):
    """Readers wait for nobody but a writer that writes."""

    def _setUp(self):  # noqa: N802  fixtures' name
        self.useFixture(fixtures.MockPatchObject(
            _novas, 'ReaderWriterLock', _Lock
        ))
