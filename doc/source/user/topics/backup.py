"""A driver of topic backup: where a backup goes."""

from nova_ext.plugin import Driver, NoHostError, schedule_method


class BackupDriver(Driver):
    """Choose among the hosts whose backup service is up."""

    topic = 'backup'
    hints = ()

    @schedule_method
    def choose(self, context, size_gb):
        """Choose the host with the most free space.

        :param size_gb: the least that it must have.
        :returns: its name.
        """
        free_gb = {
            host: float(reported['free_gb'][0])
            for host, reported in self.facts.get_capabilities('backup').items()
            if reported.get('free_gb')
        }
        best = max(free_gb, key=free_gb.get, default=None)
        if best is None or free_gb[best] < size_gb:
            raise NoHostError(f'no backup host has {size_gb} GB free')
        return best
