"""Say which zones there are, and have each know its child zones."""

import itertools
from unittest import mock

from oslo_config import cfg

from nova_ext.conf import all_options
from nova_ext.zones import registry
from nova_ext.zones.offers import own_cloud
from nova_ext.zones.tables.models import ZoneProject
from nova_ext.zones.zone_info import ZoneInfo
from tests.bench.zones import cloud

ROOT = 'z0'
#: Seconds in which a zone has to answer, all below it included.
TIME_LIMIT_S = 60
#: Child zones of each zone, by depth.
_CHILDREN = (3, 2, 2, 3)


def list_parents(count, children=_CHILDREN):
    """Return the parent of each zone, by name; None of the root.

    :param count: of zones.
    :param children: how many each zone of a depth has at most.
    """
    parents, level = {ROOT: None}, [ROOT]
    names = (f'z{number}' for number in itertools.count(1))
    for each in children:
        below = []
        for _, parent in itertools.product(range(each), level):
            if len(parents) < count:
                below.append(next(names))
                parents[below[-1]] = parent
        level = below
    return parents


def measure_depth(parents, zone):
    """Return how many zones a question passes on its way to a zone."""
    parent = parents[zone]
    return 0 if parent is None else 1 + measure_depth(parents, parent)


def list_below(parents, zone):
    """Return a zone and all that are below it."""
    return [zone, *(
        below for child, parent in parents.items() if parent == zone
        for below in list_below(parents, child)
    )]


def configure(set_override):
    """Set the options of every zone."""
    cfg.CONF([], project='nova', default_config_files=[])
    all_options.register_all_opts(cfg.CONF)
    set_override('enable_zone_routing', True, 'nova_ext_zones')
    set_override('allow_http', True, 'nova_ext_zones')
    set_override('time_limit_s', TIME_LIMIT_S, 'nova_ext_zones')
    set_override('offers_time_limit_s', TIME_LIMIT_S, 'nova_ext_zones')


def be_patient():
    """Return what has the zones wait longer for their clouds."""
    return mock.patch.object(own_cloud, 'TIME_LIMIT_S', TIME_LIMIT_S)


def register(database, children):
    """Have a zone know active child zones that serve the project.

    :param children: name, URL and UUID of each.
    """
    with database.writing() as session:
        for name, url, uuid in children:
            zone = registry.create_zone(session, {
                'name': name, 'url': url, 'cloud': 'child',
                'weight_scale': 1.0, 'weight_offset': 0.0,
                'is_disabled': False,
            })
            registry.record_answer(
                session, registry.to_child(zone),
                ZoneInfo(uuid, name, False, {'general': {}, 'services': {}}),
                'none',
            )
            session.add(ZoneProject(
                zone_id=zone.id, project_id=cloud.PROJECT, cloud='child'
            ))
