"""Healthy configurations as data: lint has nothing to say of them."""

from dataclasses import dataclass, field

from tests.unit.lint.broken import FILTERS, HEAD, plugin, using

#: As kolla-ansible renders it for a scheduler, with made up addresses.
KOLLA = """[DEFAULT]
debug = False
log_dir = /var/log/kolla/nova
state_path = /var/lib/nova
allow_resize_to_same_host = true
my_ip = 192.0.2.11
transport_url = rabbit://openstack:xyZ1%40@a:5672,openstack:xyZ1@b:5672//
default_schedule_zone = nova

[oslo_concurrency]
lock_path = /var/lib/nova/tmp

[glance]
cafile =
api_servers =

[placement]
auth_type = password
auth_url = http://192.0.2.10:5000
username = placement
password = xyZ1%2F!;
user_domain_name = Default
project_name = service
project_domain_name = Default
region_name = RegionOne
valid_interfaces = internal

[database]
connection = mysql+pymysql://nova:xyZ1@192.0.2.10:3306/nova
connection_recycle_time = 10
max_pool_size = 1
max_retries = -1

[oslo_messaging_notifications]
transport_url = rabbit://openstack:xyZ1@192.0.2.11:5672//
driver = noop

[scheduler]
max_attempts = 10
discover_hosts_in_cells_interval = -1
workers = 5

[filter_scheduler]
enabled_filters = ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter
"""

#: As devstack leaves it.
DEVSTACK = """
[DEFAULT]
transport_url = rabbit://stackrabbit:secret@192.0.2.5:5672/
state_path = /opt/stack/data/nova
instances_path = $state_path/instances
my_ip = 192.0.2.5
compute_driver = fake.FakeDriver
rootwrap_config = /etc/nova/rootwrap.conf
logging_exception_prefix = ERROR %(name)s [01;35m%(instance)s[00m
logging_context_format_string = %(color)s%(levelname)s [[00;36m%(user_name)s]

[filter_scheduler]
enabled_filters = ComputeFilter,ComputeCapabilitiesFilter,SameHostFilter
available_filters = nova.scheduler.filters.all_filters

[scheduler]
workers = 2
"""


@dataclass(frozen=True, eq=False)
class Case:
    """Represent one configuration without a mistake.

    :param nova: whether Nova can read the file itself.
    """

    name: str
    text: str | bytes
    files: dict[str, bytes] = field(default_factory=dict)
    file: str = 'nova.conf'
    layout: str = 'packages'
    given: str = ''
    nova: bool = True


CONF_HEAD = 'import nova.conf\n\nCONF = nova.conf.CONF'

CASES = (
    Case('nothing', ''),
    Case('comments alone', '# scheduler\n; of the site\n'),
    Case("kolla-ansible's", KOLLA),
    Case("devstack's", DEVSTACK),
    Case('a list on several lines',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,\n'
         '    ImagePropertiesFilter,\n\tServerGroupAffinityFilter\n'),
    Case('a list that begins on the next line',
         '[filter_scheduler]\nenabled_filters =\n  ComputeFilter,\n'
         '  ImagePropertiesFilter\n'),
    Case('a comma at the end',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter, ImagePropertiesFilter,\n'),
    Case('quotes around the whole list',
         '[filter_scheduler]\n'
         'enabled_filters = "ComputeFilter,ImagePropertiesFilter"\n'),
    Case('a colon', '[filter_scheduler]\nenabled_filters: ComputeFilter\n'),
    Case('capitals in a group',
         '[FILTER_SCHEDULER]\nenabled_filters = ComputeFilter\n'),
    Case('carriage returns',
         b'[filter_scheduler]\r\nenabled_filters = ComputeFilter\r\n'),
    Case('no newline at the end',
         b'[filter_scheduler]\nenabled_filters = ComputeFilter'),
    Case('UTF-8 in comments and values',
         '# für uns\n[placement]\npassword = été\n'),
    Case('percent signs', '[placement]\npassword = 100%%s%(a)s%\n'),
    Case('escaped dollars',
         '[placement]\npassword = a$$b\\$c$1$(x)$\n'
         '[DEFAULT]\ntransport_url = rabbit://u:a$$b@h:5672/\n'),
    Case('a $ with an option',
         '[DEFAULT]\nmy_ip = 192.0.2.1\ninstances_path = $state_path/i\n'
         'state_path = ${pybasedir}/nova\n'
         '[vnc]\nserver_listen = $my_ip\n'
         '[database]\nconnection = mysql+pymysql://n:p@$my_ip/nova\n'),
    Case('a $ with a group',
         '[libvirt]\nlive_migration_inbound_addr = ${vnc.server_listen}\n'),
    Case('signs of comments in values',
         '[placement]\npassword = a#b;c\nusername = a;b #c\n'),
    Case('semicolons in a text',
         '[vnc]\nnovncproxy_base_url = http://h/vnc.html?a=1;b=2\n'),
    Case('JSON on several lines',
         '[pci]\nalias = {\n  "vendor_id": "8086",\n  "product_id": "0443",\n'
         '  "device_type": "type-PCI",\n  "name": "a1"\n  }\n'
         'device_spec = { "vendor_id": "8086" }\n'
         'device_spec = { "vendor_id": "10de", "product_id": "1eb8" }\n'),
    Case('a dictionary', '[DEFAULT]\ndefault_log_levels = amqp=WARN,'
         'nova.scheduler=DEBUG\n'),
    Case('a section twice',
         '[scheduler]\nmax_attempts = 3\n[filter_scheduler]\n'
         'host_subset_size = 3\n[scheduler]\nworkers = 2\n'),
    Case("a group of another program's",
         '[acme]\nenable = yes # sure\nurl = $host/...\n'),
    Case('an alias that is still read',
         '[DEFAULT]\nrpc_thread_pool_size = 64\n'),
    Case('dashes where the option has them',
         '[placement]\nauth-url = http://h\nproject-name = service\n'
         'auth_type = password\n'),
    Case('several lines of available_filters',
         f'{HEAD}available_filters = ok_a.GpuFilter\n'
         'available_filters = ok_a.all_filters\n'
         'enabled_filters = ComputeFilter,GpuFilter\n',
         {'ok_a.py': FILTERS + b'\n\ndef all_filters():\n    return []\n'}),
    Case('a function of another module', using('ok_b.all_of_ours',
         'GpuFilter'), {
             'ok_b/__init__.py': b'from ok_b.loading import all_of_ours\n',
             'ok_b/loading.py': b'from ok_b.gpu import GpuFilter\n\n\n'
             b'def all_of_ours():\n    return [GpuFilter]\n',
             'ok_b/gpu.py': FILTERS}),
    Case('a class that a package imports', using('ok_c.GpuFilter',
         'GpuFilter'), {
             'ok_c/__init__.py': b'from .gpu import GpuFilter\n',
             'ok_c/gpu.py': FILTERS}),
    Case('a folder without __init__.py',
         using('ok_j.inner.gpu.GpuFilter', 'GpuFilter'),
         {'ok_j/inner/gpu.py': FILTERS}),
    Case('one query in filter_all', using('ok_d.GpuFilter', 'GpuFilter'), {
        'ok_d.py': plugin(
            'GpuFilter',
            '    def filter_all(self, filter_obj_list, spec_obj):\n'
            '        names = set(self._ask(spec_obj))\n'
            '        for attempt in range(3):\n'
            '            names |= set(self._ask(spec_obj))\n'
            '        return [host for host in filter_obj_list\n'
            '                if host.host not in names]\n\n'
            '    def _ask(self, spec_obj):\n'
            "        return [socket.gethostbyname('localhost')]\n\n"
            '    def host_passes(self, host_state, spec_obj):\n'
            '        return bool(self._ask(spec_obj))',
            head='import socket')}),
    Case('one query in weigh_objects',
         '[filter_scheduler]\nweight_classes = '
         'nova.scheduler.weights.all_weighers,ok_e.RackWeigher\n', {
             'ok_e.py': b'import socket\n\n'
             b'from nova.scheduler import weights\n\n\n'
             b'class RackWeigher(weights.BaseHostWeigher):\n'
             b'    def weigh_objects(self, weighed_obj_list, '
             b'weight_properties):\n'
             b"        mine = socket.gethostbyname('localhost')\n"
             b'        return [float(len(mine)) for _ in weighed_obj_list]'
             b'\n\n'
             b'    def _weigh_object(self, host_state, request_spec):\n'
             b"        return float(socket.gethostbyname('localhost')[0])\n",
         }),
    Case('a costly filter last, with one query for all',
         f'{HEAD}available_filters = ok_f.GpuFilter\n'
         'enabled_filters = GpuFilter,ComputeFilter\n', {
             'ok_f.py': plugin(
                 'GpuFilter',
                 '    def filter_all(self, filter_obj_list, spec_obj):\n'
                 "        mine = socket.gethostbyname('localhost')\n"
                 '        return [h for h in filter_obj_list if mine]',
                 head='import socket')}),
    Case('options and functions that Nova has',
         using('ok_g.GpuFilter', 'GpuFilter'), {
             'ok_g.py': plugin(
                 'GpuFilter',
                 '    def host_passes(self, host_state, spec_obj):\n'
                 '        if not utils.request_is_rebuild(spec_obj):\n'
                 '            isinstance(spec_obj, objects.RequestSpec)\n'
                 '        return CONF.filter_scheduler.host_subset_size > 0 '
                 'and CONF.state_path is not None',
                 head='from nova import objects\nfrom nova.scheduler import '
                 f'utils\n{CONF_HEAD}')}),
    Case('options of its own', using('ok_h.GpuFilter', 'GpuFilter'), {
        'ok_h.py': plugin(
            'GpuFilter',
            '    def host_passes(self, host_state, spec_obj):\n'
            '        return CONF.ok_gpu.enabled and '
            'CONF.filter_scheduler.ok_gpu_limit',
            head='from oslo_config import cfg\n\nCONF = cfg.CONF\n'
            "CONF.register_opts([cfg.BoolOpt('enabled', default=True)], "
            "group='ok_gpu')\n"
            "CONF.register_opt(cfg.IntOpt('ok-gpu-limit', default=3), "
            "group='filter_scheduler')")}),
    Case('a name that is tried', using('ok_i.GpuFilter', 'GpuFilter'), {
        'ok_i.py': plugin(
            'GpuFilter',
            '    def host_passes(self, host_state, spec_obj):\n'
            '        try:\n'
            '            return utils.gone(spec_obj)\n'
            '        except AttributeError:\n'
            '            return True',
            head='from nova.scheduler import utils')}),
    Case("kolla-ansible's folder",
         '{% if x %}\n[scheduler]\nmax_attempts = {{ attempts }}\n'
         '{% endif %}\n',
         {'config/nova/nova-compute.conf': b'[DEFAULT]\ndebug = true\n',
          'config/nova/ctl1/nova.conf': b'[DEFAULT]\ndebug = true\n',
          'config/global.conf': b'[DEFAULT]\ndebug = true\n'},
         'config/nova/nova-scheduler.conf', 'kolla', 'config', False),
    Case("OpenStack-Ansible's folder",
         'nova_scheduler_default_filters:\n  - ComputeFilter\n'
         'nova_scheduler_extra_filters:\n  - IoOpsFilter\n'
         'nova_rootwrap_conf_overrides: {}\nnova_policy_overrides: {}\n'
         'nova_scheduler_workers: 4\nnova_scheduler_init_overrides: {}\n'
         'nova_api_init_overrides: {}\nnova_console_type: novnc\n',
         {'openstack_deploy/openstack_user_config.yml': b'cidr: {}\n',
          'openstack_deploy/user_secrets.yml': b'nova_password: $a#b\n'},
         'openstack_deploy/user_variables.yml', 'openstack-ansible',
         'openstack_deploy', False),
    Case("devstack's local.conf",
         '[[local|localrc]]\nADMIN_PASSWORD=$X # own\n'
         '[[post-config|$NOVA_CONF]]\n[scheduler]\nmax_attempts = 3\n'
         '[[post-config|/$Q_PLUGIN_CONF_FILE]]\n[ml2]\nx = $1\n'
         '[[test-config|$TEMPEST_CONFIG]]\n[compute]\nx = 1\n'
         '[[override-defaults|etc]]\n', {}, 'local.conf', 'devstack', '',
         False),
    Case('leftovers in nova.conf.d', '[scheduler]\nmax_attempts = 3\n',
         {'nova.conf.d/20-b.conf.rpmsave': b'x', 'nova.conf.d/README': b'x',
          'nova.conf.d/30-c.conf~': b'x'},
         'nova.conf.d/10-a.conf', 'packages', 'nova.conf.d', False),
)
