"""Serve zones to the simulation, each with nova-ext-api's whole application.

``workers.py`` starts it as a program. It prints its address, and ends with
its standard input.
"""

import gc
import logging
import os
import shutil
import sys
import threading
import time
from multiprocessing import managers
from pathlib import Path

import nova.conf
import werkzeug.serving
from keystonemiddleware.fixture import AuthTokenFixture
from nova import objects
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from nova_ext.api import service
from nova_ext.database.database import Database
from nova_ext.zones import registry
from nova_ext.zones.api.handlers import offers
from nova_ext.zones.child import Children
from nova_ext.zones.tables import held_offers
from tests.bench.zones import cloud, hosts, tree
from tests.bench.zones.counting import CountedApp
from tests.bench.zones.zone_scheduler import ZoneScheduler

#: More questions than there are zones: the product counts those of one zone.
_NO_LIMIT = 10**6


class _Zone:
    """Be the backends of one zone's API."""

    def __init__(self, name, seed, host_count, database, clouds_file):
        self._database = database
        self._scheduler = ZoneScheduler(name, hosts.draw(seed, host_count))
        self._children = Children(clouds_file, tree.TIME_LIMIT_S, True)
        self.app = CountedApp(service.build(nova.conf.CONF, self))

    def database(self):
        """Return the zone's own."""
        return self._database

    def scheduler(self):
        """Return what decides in place of its schedulers."""
        return self._scheduler

    def once(self, build):
        """Return what asks its child zones."""
        return self._children


class Worker:
    """Serve some of the zones.

    :param folder: of its own.
    """

    def __init__(self, folder):
        self._folder = folder
        self._zones = {}
        self._keystone = cloud.Keystone()
        self._mounts = {
            cloud.KEYSTONE: self._keystone, cloud.CLOUD: cloud.answer_as_cloud
        }
        server = werkzeug.serving.make_server(
            '127.0.0.1', 0, DispatcherMiddleware(self._answer, self._mounts),
            threaded=True,
        )
        self.url = f'http://127.0.0.1:{server.server_port}'
        self._clouds_file = folder / 'clouds.yaml'
        cloud.write_clouds(self._clouds_file, self.url)
        self._template = folder / 'template.sqlite'
        Database(f'sqlite:///{self._template}').sync()
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def get_url(self):
        """Return the URL below which its zones are, and their cloud."""
        return self.url

    def start(self, zones):
        """Start zones.

        :param zones: seed and number of hosts, by name.
        :returns: URL and UUID of each, by name.
        """
        for name, (seed, count) in zones.items():
            path = self._folder / f'{name}.sqlite'
            shutil.copy(self._template, path)
            zone = self._zones[name] = _Zone(
                name, seed, count, Database(f'sqlite:///{path}'),
                self._clouds_file,
            )
            self._mounts[f'/{name}'] = zone.app
        return {
            name: (
                f'{self.url}/{name}',
                registry.get_own_uuid(self._zones[name].database()),
            ) for name in zones
        }

    def connect(self, children):
        """Have zones know their child zones.

        :param children: name, URL and UUID of each, by the parent's name.
        """
        for name, of_zone in children.items():
            tree.register(self._zones[name].database(), of_zone)
        # What hosts there are does not change: looking for garbage among
        # their objects would take longer than deciding.
        gc.freeze()
        gc.enable()

    def take_counts(self):
        """Return what each zone was sent since the last time, by name.

        :returns: those, and the number of tokens that were given.
        """
        counts = {}
        for name, zone in self._zones.items():
            counts[name] = zone.app.take()
        tokens, self._keystone.given = self._keystone.given, 0
        return counts, tokens

    def list_held(self):
        """Return the request ids of held room, by the UUID of the zone."""
        held = {}
        for zone in self._zones.values():
            uuid = registry.get_own_uuid(zone.database())
            with zone.database().reading() as session:
                held[uuid] = sorted(
                    held_offers.read(session, int(time.time()))[1]
                )
        return held

    def make_offers(self, name, question):
        """Answer in place of a zone's schedulers, for a root elsewhere."""
        return self._zones[name].scheduler().make_offers(None, question)

    @staticmethod
    def _answer(environ, start_response):
        start_response('404 Not Found', [])
        return []


class Control(managers.BaseManager):
    """Call a worker from another process."""


def main():
    """Serve until the standard input ends.

    The first line of the input is the key of whoever may call.
    """
    key, folder = sys.stdin.readline().strip().encode(), Path(sys.argv[1])
    logging.disable(logging.WARNING)
    gc.disable()
    tree.configure(nova.conf.CONF.set_override)
    nova.conf.CONF.set_override('service_down_time', 3600)
    objects.register_all()
    offers.SHARE.at_once = offers.SHARE.of_one = _NO_LIMIT
    with AuthTokenFixture() as tokens, tree.be_patient():
        worker = Worker(folder)
        tokens.add_token(cloud.make_token(worker.url), cloud.TOKEN)
        Control.register('worker', callable=lambda: worker)
        control = Control(('127.0.0.1', 0), key)
        server = control.get_server()
        threading.Thread(target=_end_with_input, daemon=True).start()
        print(server.address[1], flush=True)
        server.serve_forever()


def _end_with_input():
    sys.stdin.read()
    os._exit(0)


if __name__ == '__main__':
    main()
