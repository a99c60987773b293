"""Know what calls of libraries do outside the process."""

#: Modules whose calls leave the process, with what they do.
_MODULES = {
    'aiohttp': 'opens an HTTP connection',
    'cinderclient': 'opens an HTTP connection',
    'etcd3': 'opens a connection',
    'glanceclient': 'opens an HTTP connection',
    'http.client': 'opens an HTTP connection',
    'httplib2': 'opens an HTTP connection',
    'httpx': 'opens an HTTP connection',
    'keystoneauth1': 'opens an HTTP connection',
    'keystoneclient': 'opens an HTTP connection',
    'neutronclient': 'opens an HTTP connection',
    'novaclient': 'opens an HTTP connection',
    'openstack': 'opens an HTTP connection',
    'requests': 'opens an HTTP connection',
    'urllib.request': 'opens an HTTP connection',
    'urllib3': 'opens an HTTP connection',
    'nova.image': 'opens an HTTP connection',
    'nova.network': 'opens an HTTP connection',
    'nova.scheduler.client': 'asks placement',
    'nova.utils.get_ksa_adapter': 'opens an HTTP connection',
    'nova.utils.get_sdk_adapter': 'opens an HTTP connection',
    'nova.volume': 'opens an HTTP connection',
    'nova.compute.api': 'calls another service',
    'nova.compute.rpcapi': 'calls another service',
    'nova.conductor': 'calls another service',
    'MySQLdb': 'opens a database session',
    'nova.availability_zones': 'queries the database',
    'nova.db': 'opens a database session',
    'nova.scheduler.utils.setup_instance_group': 'queries the database',
    'oslo_db': 'opens a database session',
    'psycopg2': 'opens a database session',
    'pymongo': 'opens a database session',
    'pymysql': 'opens a database session',
    'sqlalchemy': 'opens a database session',
    'sqlite3': 'opens a database session',
    'memcache': 'opens a connection',
    'pymemcache': 'opens a connection',
    'redis': 'opens a connection',
    'socket': 'opens a connection',
    'paramiko': 'opens a connection',
    'os.popen': 'starts a program',
    'os.system': 'starts a program',
    'oslo_concurrency.processutils': 'starts a program',
    'subprocess': 'starts a program',
    'time.sleep': 'sleeps',
}

#: Methods of Nova's objects that query the database.
_QUERIES = ('get_', 'save', 'create', 'destroy', 'refresh')


def find_effect(dotted: str) -> str | None:
    """Return what a call of a dotted name does; None: it stays here."""
    for module, effect in _MODULES.items():
        if dotted == module or dotted.startswith(f'{module}.'):
            return effect
    if dotted.startswith('nova.objects.'):
        last = dotted.rpartition('.')[2]
        if last.startswith(_QUERIES):
            return 'opens a database session'
    return None
