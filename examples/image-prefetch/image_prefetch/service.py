"""The service, one process a host: ``image-prefetch-service``.

It is configured by a group of its own beside Nova's options::

    [image_prefetch]
    source = /srv/images
    cache = /var/lib/image-prefetch
    groups = ssd, eu
"""

import contextlib
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import oslo_messaging as messaging
from oslo_config import cfg
from oslo_context import context

from image_prefetch import wire
from image_prefetch.cache import Cache
from image_prefetch.manager import Manager
from nova_ext.client import (
    MAX_VALUES,
    NovaExtError,
    Reporter,
    SchedulerClient,
)

GROUP = 'image_prefetch'
OPTS = [
    cfg.StrOpt('source', required=True, help='Folder of all images.'),
    cfg.StrOpt('cache', required=True, help='Folder of this host\'s images.'),
    cfg.IntOpt('cache_mb', default=0, min=0,
               help='MiB that the images may take; 0: all that is free.'),
    cfg.ListOpt('groups', default=[], help='The groups of this host.'),
    cfg.IntOpt('interval_s', default=60, min=1,
               help='Seconds between two reports, if nothing changes.'),
]
#: Seconds after which free space is looked at again.
LOOK_S = 10


@contextlib.contextmanager
def serving(
    client: SchedulerClient, host: str, cache: Cache,
    groups: Sequence[str] = (), interval_s: float = 60,
) -> Iterator[Callable[[], None]]:
    """Report and serve for as long as the block runs.

    :param host: the host's name.
    :param cache: the host's images.
    :param groups: the host's groups.
    :param interval_s: the longest time between two reports, in seconds.
    :returns: what reports the host anew, if there is news; it logs why it
        can't.
    """
    me = context.RequestContext()
    with Reporter(client, me, wire.TOPIC, host, interval_s) as reporter:
        def tell() -> None:
            try:
                found = {
                    'free_mb': cache.free_mb(), 'groups': groups,
                    'images': cache.held()[:MAX_VALUES],
                }
            except OSError as error:
                # The last report counts until the next look.
                logging.warning('The images can\'t be looked at: %s', error)
            else:
                reporter.report(found)

        server = messaging.get_rpc_server(
            client.transport, messaging.Target(
                exchange=wire.EXCHANGE, topic=wire.TOPIC, server=host
            ), [Manager(cache, tell)], executor='threading',
        )
        server.start()
        try:
            tell()
            yield tell
        finally:
            server.stop()
            server.wait()


def main() -> None:
    """Serve until a signal ends it."""
    logging.basicConfig(level=logging.INFO, format='%(asctime)s %(message)s')
    cfg.CONF.register_opts(OPTS, group=GROUP)
    # Nova's own option, which names the host in nova-compute, too.
    cfg.CONF.register_opt(cfg.StrOpt('host'))
    try:
        cfg.CONF(sys.argv[1:], project='nova', prog='image-prefetch-service')
        _run(cfg.CONF[GROUP], cfg.CONF.host or socket.gethostname())
    except (NovaExtError, cfg.Error, OSError) as error:
        sys.exit(f'image-prefetch-service: {error}')


def _run(own: Any, host: str) -> None:
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    cache = Cache(Path(own.cache), Path(own.source), own.cache_mb)
    with SchedulerClient() as client, serving(
        client, host, cache, own.groups, own.interval_s
    ) as tell:
        logging.info('Images of %s are served', host)
        while not end.wait(LOOK_S):
            tell()
