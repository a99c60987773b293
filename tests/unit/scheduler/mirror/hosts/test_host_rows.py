"""Test what is known of all services in place of Nova's prefilter."""

from unittest import mock

import testtools
from nova import context
from nova.objects import service

from nova_ext.scheduler.mirror.hosts import host_rows


class FindOldestTest(testtools.TestCase):
    """Compare the oldest version with Nova's."""

    def test_find_oldest(self):
        """Cells without services, and versions that are not known."""
        for cells in (
            [], [[]], [[], [70, 68]], [[68], [71, 66]], [[0, 70], [69]],
            [[None, 70]], [[None]],
        ):
            # As the database answers for one cell.
            known = [
                [version for version in versions if version is not None]
                for versions in cells
            ]
            answers = {
                number: {'nova-compute': min(some, default=None)}
                for number, some in enumerate(known)
            }
            with mock.patch.object(
                context, 'scatter_gather_all_cells', return_value=answers
            ):
                expected = service.get_minimum_version_all_cells(
                    None, ['nova-compute']
                )
            self.assertEqual(expected, host_rows.find_oldest(cells), cells)
