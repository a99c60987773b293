"""List the modules and names that old plugins use, and what replaced them.

The release is the first one whose tree lacks the module, by Nova's history.
"""

from nova_ext.nova_releases.removed_names import Removed

#: The page that says how to port an old plugin.
PAGE = 'doc/source/user/porting.rst'

_COMMON = 'nova.openstack.common'
#: Its copies of oslo-incubator's modules, and what each of them is today.
_INCUBATOR = {
    'cfg': 'from oslo_config import cfg',
    'cliutils': 'remove it: no module replaced it',
    'config': 'remove it: oslo-config-generator does its work',
    'context': 'from oslo_context import context',
    'db': 'from oslo_db import api',
    'eventlet_backdoor': 'from oslo_service import eventlet_backdoor',
    'excutils': 'from oslo_utils import excutils',
    'fileutils': 'from oslo_utils import fileutils',
    'fixture': 'from oslo_config import fixture',
    'gettextutils': 'from nova.i18n import _',
    'imageutils': 'from oslo_utils import imageutils',
    'importutils': 'from oslo_utils import importutils',
    'jsonutils': 'from oslo_serialization import jsonutils',
    'local': 'import threading, and write threading.local()',
    'lockutils': 'from oslo_concurrency import lockutils',
    'log': 'from oslo_log import log',
    'loopingcall': 'from oslo_service import loopingcall',
    'memorycache': 'from nova import cache_utils',
    'middleware': 'import oslo_middleware',
    'network_utils': 'from oslo_utils import netutils',
    'notifier': 'import oslo_messaging, and write oslo_messaging.Notifier',
    'periodic_task': 'from oslo_service import periodic_task',
    'policy': 'from oslo_policy import policy',
    'processutils': 'from oslo_concurrency import processutils',
    'report': 'import oslo_reports',
    'rpc': 'import oslo_messaging',
    'service': 'from oslo_service import service',
    'sslutils': 'from oslo_service import sslutils',
    'strutils': 'from oslo_utils import strutils',
    'systemd': 'from oslo_service import systemd',
    'threadgroup': 'from oslo_service import threadgroup',
    'timeutils': 'from oslo_utils import timeutils',
    'units': 'from oslo_utils import units',
    'uuidutils': 'from oslo_utils import uuidutils',
    'versionutils': 'from oslo_utils import versionutils',
    '_i18n': 'from nova.i18n import _',
}

#: The namespace package oslo, which became one package a library.
_OSLO = {
    'config': 'from oslo_config import cfg',
    'db': 'import oslo_db',
    'i18n': 'import oslo_i18n',
    'messaging': 'import oslo_messaging',
    'middleware': 'import oslo_middleware',
    'rootwrap': 'import oslo_rootwrap',
    'serialization': 'from oslo_serialization import jsonutils',
    'utils': 'import oslo_utils, from oslo_utils import NAME',
}

#: What to do with a driver of the scheduler.
DRIVER = (
    'derive the driver from nova_ext.plugin.ComputeDriver, and define '
    f'rank(self, hosts, request, context); {PAGE} shows how'
)
_HOST_MANAGER = 'remove it: nova.scheduler.host_manager serves all hosts'

#: Modules by their dotted names. The longest that fits counts.
MODULES = {
    _COMMON: Removed(
        'Newton (14.0)', f'use the libraries of oslo; {PAGE} lists them'
    ),
    **{
        f'{_COMMON}.{name}': Removed('Newton (14.0)', instead)
        for name, instead in _INCUBATOR.items()
    },
    **{
        f'oslo.{name}': Removed('Liberty (12.0)', instead)
        for name, instead in _OSLO.items()
    },
    'nova.api.openstack.extensions': Removed(
        'Queens (17.0)', 'remove it: an API extension can\'t be added to Nova'
    ),
    'nova.cells': Removed('Train (20.0)', 'remove it: cells v1 are gone'),
    'nova.compute.instance_types': Removed(
        'Havana (2013.2)', 'from nova.compute import flavors; a request has '
        'its flavor, spec_obj.flavor'
    ),
    'nova.db.sqlalchemy': Removed(
        'Xena (24.0)', 'from nova import objects, and read through them'
    ),
    'nova.flags': Removed(
        'Grizzly (2013.1)', 'import nova.conf, and write nova.conf.CONF'
    ),
    **{
        f'{module}.{name}': Removed(release, 'write the message without it: '
                                    'logs are not translated')
        for module, release in (
            ('nova.i18n', 'Victoria (22.0)'),
            (f'{_COMMON}.gettextutils', 'Newton (14.0)'),
        ) for name in ('_LE', '_LI', '_LW')
    },
    'nova.image.api': Removed(
        'Ussuri (21.0)', 'a request has its image, spec_obj.image'
    ),
    'nova.log': Removed('Folsom (2012.2)', 'from oslo_log import log'),
    'nova.network.api': Removed(
        'Ussuri (21.0)', 'from nova.network import neutron'
    ),
    'nova.network.neutronv2': Removed(
        'Ussuri (21.0)', 'from nova.network import neutron'
    ),
    'nova.notifier': Removed(
        'Folsom (2012.2)', 'import oslo_messaging, and write '
        'oslo_messaging.Notifier'
    ),
    'nova.scheduler.baremetal_host_manager': Removed(
        'Kilo (2015.1)', _HOST_MANAGER
    ),
    'nova.scheduler.caching_scheduler': Removed('Stein (19.0)', DRIVER),
    'nova.scheduler.chance': Removed('Stein (19.0)', DRIVER),
    'nova.scheduler.driver': Removed('Xena (24.0)', DRIVER),
    'nova.scheduler.filter_scheduler': Removed('Xena (24.0)', DRIVER),
    'nova.scheduler.host_filter': Removed(
        'Essex (2012.1)', 'from nova.scheduler import filters, and derive '
        'from filters.BaseHostFilter'
    ),
    'nova.scheduler.ironic_host_manager': Removed(
        'Rocky (18.0)', _HOST_MANAGER
    ),
    'nova.scheduler.least_cost': Removed(
        'Grizzly (2013.1)', 'from nova.scheduler import weights, and derive '
        'from weights.BaseHostWeigher'
    ),
    'nova.scheduler.multi': Removed('Havana (2013.2)', DRIVER),
    'nova.scheduler.scheduler_options': Removed(
        'Ocata (15.0)', 'read options of nova.conf, nova.conf.CONF'
    ),
    'nova.scheduler.simple': Removed('Grizzly (2013.1)', DRIVER),
    'nova.scheduler.zone_manager': Removed('Essex (2012.1)', DRIVER),
    **{
        name: Removed('Python 3', f'import {instead}')
        for name, instead in {
            'ConfigParser': 'configparser', 'Queue': 'queue',
            'StringIO': 'io', '__builtin__': 'builtins',
            'cPickle': 'pickle', 'cStringIO': 'io', 'commands': 'subprocess',
            'httplib': 'http.client', 'md5': 'hashlib', 'sha': 'hashlib',
            'thread': 'threading',
            'urllib2': 'urllib.request', 'urlparse': 'urllib.parse',
        }.items()
    },
}

#: What Python 3 has in place of built-in names of Python 2.
PYTHON2_NAMES = {
    'apply': 'function(*arguments)', 'basestring': 'str',
    'buffer': 'memoryview', 'cmp': '(a > b) - (a < b)', 'execfile': 'exec',
    'file': 'open', 'intern': 'sys.intern', 'long': 'int',
    'raw_input': 'input', 'reduce': 'from functools import reduce',
    'reload': 'importlib.reload', 'unichr': 'chr', 'unicode': 'str',
    'xrange': 'range',
}
#: The same for names of the standard library.
PYTHON2_ATTRIBUTES = {
    'itertools.ifilter': 'filter', 'itertools.imap': 'map',
    'itertools.izip': 'zip', 'itertools.izip_longest': 'zip_longest',
    'os.getcwdu': 'os.getcwd', 'string.letters': 'string.ascii_letters',
    'string.lowercase': 'string.ascii_lowercase',
    'string.uppercase': 'string.ascii_uppercase', 'sys.maxint': 'sys.maxsize',
    'urllib.quote': 'urllib.parse.quote',
    'urllib.unquote': 'urllib.parse.unquote',
    'urllib.urlencode': 'urllib.parse.urlencode',
    'urllib.urlopen': 'urllib.request.urlopen',
}
#: The same for methods of a dictionary.
PYTHON2_METHODS = {
    'has_key': 'KEY in DICTIONARY', 'iteritems': 'items',
    'iterkeys': 'keys', 'itervalues': 'values', 'viewitems': 'items',
    'viewkeys': 'keys', 'viewvalues': 'values',
}


def find_module(dotted: str) -> tuple[str, str]:
    """Return what became of the longest module that a name begins with.

    :returns: that it was removed, and what to do; empty: it was not.
    """
    while dotted and dotted not in MODULES:
        dotted = dotted.rpartition('.')[0]
    if not dotted:
        return '', ''
    removed = MODULES[dotted]
    if dotted.startswith(f'{_COMMON}.'):
        dotted = _COMMON
    code = removed.instead.startswith(('from ', 'import '))
    return (
        f'{dotted} was removed in {removed.release}',
        f'write {removed.instead}' if code else removed.instead,
    )
