"""Broken configurations as data: what lint has to say of each.

A case is files; the id and line of the finding, and words of its cause; what
its fix says; and what Nova itself does with the files.
"""

from dataclasses import dataclass, field

FILTERS = b"""from nova.scheduler import filters


class GpuFilter(filters.BaseHostFilter):
    def host_passes(self, host_state, spec_obj):
        return True
"""
HEAD = (
    '[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.all_filters\n'
)


@dataclass(frozen=True)
class Case:
    """Represent one mistake.

    :param text: nova.conf, or the file that ``file`` names.
    :param cause: words that the finding has to say.
    :param fix: words that its fix has to say. What it tells to paste is
        pasted, and the mistake has to be gone then.
    :param nova: words of what Nova raises; empty: nothing; None: Nova does
        not read this file.
    :param files: the plugins, by path.
    :param at: the file of the finding, if it is another one.
    :param pasted: False: the fix is nothing that can be pasted, because
        only the author knows what is meant.
    :param warned: without Nova, an error is only a warning.
    """

    name: str
    text: str | bytes
    id: str
    line: int
    cause: str
    fix: str
    nova: str | None
    files: dict[str, bytes] = field(default_factory=dict)
    at: str = 'nova.conf'
    file: str = 'nova.conf'
    layout: str = 'packages'
    given: str = ''
    pasted: bool = True
    needs_nova: bool = False
    others: tuple[str, ...] = ()
    warned: bool = False


def plugin(name, body, base='filters.BaseHostFilter', head=''):
    """Return a module with one filter."""
    lines = ['from nova.scheduler import filters', *head.splitlines(), '',
             '', f'class {name}({base}):', *body.splitlines(), '']
    return '\n'.join(lines).encode()


def using(path, name):
    """Return a configuration with one filter."""
    return (
        f'{HEAD}available_filters = {path}\n'
        f'enabled_filters = ComputeFilter,{name}\n'
    )


PARSE = 'ConfigFileParseError'
NOT_FOUND = 'SchedulerHostFilterNotFound'
REFUSED = 'ConfigFileValueError'

READING = (
    Case('byte order mark', b'\xef\xbb\xbf[scheduler]\nmax_attempts = 3\n',
         'NX001', 1, 'byte order mark', 'sed -i', PARSE),
    Case('Latin-1 in a comment',
         b'[scheduler]\n# f\xfcr uns\nmax_attempts = 3\n',
         'NX001', 2, 'byte 0xfc is not UTF-8', 'LC_ALL=C sed -i',
         'UnicodeDecodeError'),
    Case('Latin-1 in a password',
         b'[placement]\npassword = \xe9t\xe9\n[scheduler]\n# \xdf\n',
         'NX001', 2, 'also on line 4', 'LC_ALL=C sed -i',
         'UnicodeDecodeError'),
    Case('UTF-16', '[scheduler]\nmax_attempts = 3\n'.encode('utf-16'),
         'NX001', 1, 'UTF-16', 'iconv -f UTF-16', 'UnicodeDecodeError'),
    Case('a leading tab', '[scheduler]\n\tmax_attempts = 3\n',
         'NX001', 2, 'begins with a tab', 'sed -i', PARSE),
    Case('a leading blank', '[scheduler]\n max_attempts = 3\n',
         'NX001', 2, 'begins with a blank', 'sed -i', PARSE),
    Case('a leading tab behind an option',
         '[filter_scheduler]\nenabled_filters = ComputeFilter\n'
         '\thost_subset_size = 3\n',
         'NX004', 3, 'a part of enabled_filters', 'sed -i', NOT_FOUND),
    Case('an indented group',
         '[filter_scheduler]\nenabled_filters = ComputeFilter\n'
         '  [scheduler]\nmax_attempts = 3\n',
         'NX004', 3, 'indented', 'sed -i', NOT_FOUND),
    Case('an indented comment in a list',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,\n'
         '    # for groups\n    ServerGroupAffinityFilter\n',
         'NX004', 3, 'the comment is indented', 'sed -i', NOT_FOUND),
    Case('a comment that cuts a list',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,\n'
         '# for groups\n    ServerGroupAffinityFilter\n',
         'NX001', 3, 'the comment before it ends the value', 'sed -i', PARSE),
    Case('a blank line that cuts a list',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,\n\n'
         '    ServerGroupAffinityFilter,\n    IoOpsFilter\n',
         'NX001', 3, 'the blank line before it ends the value', 'sed -i',
         PARSE),
    Case('no equals sign',
         '[filter_scheduler]\nenabled_filters ComputeFilter\n',
         'NX001', 2, 'no = between the option and its value', 'sed -i', PARSE),
    Case('an ellipsis for lines', '[scheduler]\n...\nmax_attempts = 3\n',
         'NX001', 2, 'a guide left out', 'sed -i', PARSE),
    Case('no group', 'enabled_filters = ComputeFilter\n',
         'NX001', 1, 'before any [group]', '[filter_scheduler]', PARSE),
    Case('a comment behind a group',
         '[scheduler] # of nova\nmax_attempts = 3\n',
         'NX001', 1, 'a comment stands behind [scheduler]', 'sed -i', PARSE),
    Case('a group without its bracket', '[scheduler\nmax_attempts = 3\n',
         'NX001', 1, '] behind [scheduler is missing', 'sed -i', PARSE),
    Case('a conflict of git',
         '[scheduler]\n<<<<<<< HEAD\nmax_attempts = 3\n=======\n'
         'max_attempts = 5\n>>>>>>> theirs\n',
         'NX001', 2, 'a conflict', 'option = value', PARSE, pasted=False),
    Case('an empty option', '[scheduler]\n= 3\n', 'NX001', 2,
         'no option before the =', 'sed -i', PARSE),
)

VALUES = (
    Case('a dictionary of Python for a device',
         "[pci]\ndevice_spec = {'vendor_id': '10de', 'product_id': '1db4'}\n",
         'NX407', 2, 'is no JSON', 'write device_spec = {"vendor_id": "10de"',
         ''),
    Case('a comment behind a number',
         '[scheduler]\nmax_attempts = 3  # was 5\n',
         'NX005', 2, 'comment behind the value', 'sed -i', REFUSED),
    Case('a comment behind a list',
         '[filter_scheduler]\nenabled_filters = ComputeFilter # all\n',
         'NX005', 2, 'comment behind the value', 'sed -i', NOT_FOUND),
    Case('a comment behind a flag',
         '[filter_scheduler]\ntrack_instance_changes = false ; slow on us\n',
         'NX005', 2, 'comment behind the value', 'sed -i', REFUSED),
    Case('a comment behind a path',
         '[filter_scheduler]\n'
         'available_filters = nova.scheduler.filters.all_filters # default\n',
         'NX005', 2, 'comment behind the value', 'sed -i', 'ImportError'),
    Case('a comment behind a password',
         '[placement]\npassword = s3cret  # change me\n',
         'NX005', 2, 'comment behind the value', 'sed -i', '',
         needs_nova=True),
    Case('a $ in a password', '[placement]\npassword = pa$word\n',
         'NX006', 2, 'a $ that stands for no option', 'sed -i',
         'NoSuchOptError'),
    Case('a $ in a URL',
         '[DEFAULT]\ntransport_url = rabbit://nova:pa$word@mq1:5672/\n',
         'NX006', 2, 'a $ that stands for no option', 'sed -i',
         'no such option transport_url'),
    Case('a $ beside an escaped one',
         '[placement]\npassword = a$$b$c\n', 'NX006', 2,
         'a $ that stands for no option', 'sed -i', 'NoSuchOptError'),
    Case('an undefined name',
         '[DEFAULT]\ninstances_path = $statepath/instances\n',
         'NX006', 2, '$statepath stands for no option',
         'write instances_path = $state_path/instances', 'NoSuchOptError',
         needs_nova=True),
    Case('a name far from all',
         '[DEFAULT]\ninstances_path = $undefined/instances\n',
         'NX006', 2, '$undefined stands for no option', 'sed -i',
         'NoSuchOptError', needs_nova=True),
    Case('an option of itself', '[DEFAULT]\nstate_path = $state_path/nova\n',
         'NX006', 2, 'stands for the option itself', 'sed -i',
         'NoSuchOptError', needs_nova=True),
    Case('semicolons in a list',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter;ImagePropertiesFilter\n',
         'NX007', 2, 'a semicolon',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND),
    Case('an ellipsis for an address',
         '[DEFAULT]\ntransport_url = rabbit://...\n', 'NX007', 2,
         'what a guide left out', 'write the value of transport_url', '',
         needs_nova=True, pasted=False),
    Case('an ellipsis for a number', '[scheduler]\nmax_attempts = ...\n',
         'NX007', 2, 'what a guide left out', 'write the value of', REFUSED,
         pasted=False),
    Case('an ellipsis in a list',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,...\n',
         'NX007', 2, 'an ellipsis', 'write enabled_filters = ComputeFilter',
         NOT_FOUND),
    Case('an ellipsis of one sign',
         '[filter_scheduler]\nenabled_filters = …, ComputeFilter\n',
         'NX007', 2, 'an ellipsis', 'write enabled_filters = ComputeFilter',
         NOT_FOUND),
    Case('brackets around two paths',
         '[filter_scheduler]\navailable_filters = '
         '[nova.scheduler.filters.all_filters, gpu_o.GpuFilter]\n'
         'enabled_filters = ComputeFilter,GpuFilter\n',
         'NX007', 2, 'a bracket',
         'write available_filters = nova.scheduler.filters.all_filters and '
         'write available_filters = gpu_o.GpuFilter', 'ModuleNotFoundError',
         {'gpu_o.py': FILTERS}, others=('NX203',)),
    Case('brackets around wrong names',
         '[filter_scheduler]\nenabled_filters = '
         '[ComputFilter, RetryFilter, ImagePropertiesFilter, ComputFilter]\n',
         'NX007', 2, 'a bracket',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND, others=('NX101', 'NX102', 'NX103')),
    Case('quotes in a list',
         '[filter_scheduler]\n'
         'enabled_filters = "ComputeFilter","ImagePropertiesFilter"\n',
         'NX007', 2, 'a quotation mark',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND),
    Case('curly quotes',
         '[filter_scheduler]\nenabled_filters = “ComputeFilter”\n',
         'NX007', 2, 'a quotation mark',
         'write enabled_filters = ComputeFilter', NOT_FOUND),
    Case('brackets',
         '[filter_scheduler]\nenabled_filters = [ComputeFilter]\n',
         'NX007', 2, 'a bracket', 'write enabled_filters = ComputeFilter',
         NOT_FOUND),
    Case('brackets around a path',
         '[filter_scheduler]\navailable_filters = '
         "['nova.scheduler.filters.all_filters']\n",
         'NX007', 2, 'a quotation mark and a bracket',
         'write available_filters = nova.scheduler.filters.all_filters',
         'ModuleNotFoundError'),
    Case('an invisible blank',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,\u200b'
         'ImagePropertiesFilter\n',
         'NX007', 2, 'an invisible sign (U+200B)',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND),
    Case('two commas',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter,,ImagePropertiesFilter\n',
         'NX007', 2, 'an empty item',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND),
    Case('a backslash at the end of a line',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,\\\n'
         '    ImagePropertiesFilter\n',
         'NX007', 2, 'a backslash',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND),
    Case('a wide comma',
         '[filter_scheduler]\nenabled_filters = ComputeFilter\uff0c'
         'ImagePropertiesFilter\n',
         'NX007', 2, 'a comma of another script',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND),
    Case('two equals signs',
         '[filter_scheduler]\nenabled_filters == ComputeFilter\n',
         'NX007', 2, 'a second =', 'write enabled_filters = ComputeFilter',
         NOT_FOUND),
    Case('blanks in a list',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter ImagePropertiesFilter\n',
         'NX101', 2, 'no commas',
         'write enabled_filters = ComputeFilter,ImagePropertiesFilter',
         NOT_FOUND),
    Case('a unit behind a number',
         '[filter_scheduler]\nram_weight_multiplier = 50%\n',
         'NX404', 2, 'could not convert', 'a value that the option accepts',
         REFUSED, pasted=False),
    Case('a decimal comma',
         '[filter_scheduler]\nram_weight_multiplier = 1,5\n',
         'NX404', 2, 'could not convert', 'write ram_weight_multiplier = 1.5',
         REFUSED),
    Case('a negative number', '[scheduler]\nmax_attempts = -1\n',
         'NX404', 2, 'greater than', 'a value that the option accepts',
         REFUSED, pasted=False),
)

NAMES = (
    Case('a misspelt filter',
         '[filter_scheduler]\nenabled_filters = ComputFilter\n',
         'NX101', 2, 'no filter ComputFilter', 'write ComputeFilter',
         NOT_FOUND),
    Case('a Cyrillic letter',
         '[filter_scheduler]\nenabled_filters = \u0421omputeFilter\n',
         'NX101', 2, 'letters of another alphabet, U+0421',
         'write ComputeFilter', NOT_FOUND),
    Case('two letters swapped',
         '[filter_scheduler]\nenabled_filters = ComptueFilter\n',
         'NX101', 2, 'no filter ComptueFilter', 'write ComputeFilter',
         NOT_FOUND),
    Case('another number of a word',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter,ImagePropertyFilter\n',
         'NX101', 2, 'no filter ImagePropertyFilter',
         'write ImagePropertiesFilter', NOT_FOUND),
    Case('a filter of a name like a removed one',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter,AggregateMatchFilter\n',
         'NX101', 2, 'Nova has no AggregateMatchFilter',
         'available_filters = <package.module>.AggregateMatchFilter',
         NOT_FOUND, pasted=False, warned=True),
    Case('a filter of a name like another one',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter,VolumeAffinityFilter\n',
         'NX101', 2, 'Nova has no VolumeAffinityFilter',
         'add the lines available_filters = nova.scheduler.filters.all_filters'
         ' and available_filters = <package.module>.VolumeAffinityFilter',
         NOT_FOUND, pasted=False, warned=True),
    Case('a name that is not quite of a removed filter',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,RAMFilter\n',
         'NX101', 2, 'Nova has no RAMFilter',
         'available_filters = <package.module>.RAMFilter', NOT_FOUND,
         pasted=False, warned=True),
    Case('a filter of a known package',
         f'{HEAD}enabled_filters = ComputeFilter,BlazarFilter\n',
         'NX101', 3, 'Nova has no BlazarFilter',
         'add the line available_filters = '
         'blazarnova.scheduler.filters.blazar_filter.BlazarFilter, and '
         'install blazar-nova', NOT_FOUND, pasted=False),
    Case('a filter of nova-ext without its line',
         f'{HEAD}enabled_filters = ComputeFilter,SpecifiedHostFilter\n',
         'NX101', 3, 'Nova has no SpecifiedHostFilter',
         'add the line available_filters = '
         'nova_ext.scheduler.filters.all_filters, and install nova-ext',
         NOT_FOUND, pasted=False),
    Case('a multiplier of another package',
         '[filter_scheduler]\nhv_ram_class_weight_multiplier = 2.0\n',
         'NX402', 2, 'no option hv_ram_class_weight_multiplier',
         'add the weigher that declares it', '', pasted=False),
    Case('an option that one other group has',
         '[scheduler]\nreport_interval = 20\n', 'NX402', 2,
         'no option report_interval', 'write it below [DEFAULT]', '',
         pasted=False, needs_nova=True),
    Case('a removed option that held removed filters',
         '[filter_scheduler]\nbaremetal_enabled_filters = ExactRamFilter\n',
         'NX401', 2, 'since Rocky', 'remove the line', ''),
    Case('a filter in small letters',
         '[filter_scheduler]\nenabled_filters = computefilter\n',
         'NX101', 2, 'no filter computefilter', 'write ComputeFilter',
         NOT_FOUND),
    Case('a path in enabled_filters',
         '[filter_scheduler]\nenabled_filters = '
         'nova.scheduler.filters.compute_filter.ComputeFilter\n',
         'NX101', 2, 'no filter nova.scheduler', 'ComputeFilter', NOT_FOUND),
    Case('no filter at all', '[filter_scheduler]\nenabled_filters =\n',
         'NX105', 2, 'no filter is enabled',
         'write enabled_filters = ComputeFilter', ''),
    Case('a filter twice',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter, ComputeFilter\n',
         'NX103', 2, 'already enabled', 'write enabled_filters', ''),
    Case('a removed filter',
         '[filter_scheduler]\nenabled_filters = ComputeFilter,RetryFilter\n',
         'NX102', 2, 'removed in Victoria (22.0): since Queens a failed build',
         'write enabled_filters = ComputeFilter', NOT_FOUND),
    Case('a missing comma before a removed filter',
         '[filter_scheduler]\n'
         'enabled_filters = ComputeFilter AffinityFilter\n',
         'NX101', 2, 'no commas', 'write enabled_filters = '
         'ComputeFilter,SameHostFilter,DifferentHostFilter', NOT_FOUND),
    Case('an option set twice',
         '[filter_scheduler]\nenabled_filters = ComputeFilter\n'
         '[scheduler]\nmax_attempts = 3\n[filter_scheduler]\n'
         'enabled_filters = ImagePropertiesFilter,ComputeFilter\n',
         'NX003', 2, 'set again on line 6', 'sed -i', ''),
    Case('the wrong group', '[scheduler]\nenabled_filters = ComputeFilter\n',
         'NX403', 2, '[scheduler] has no enabled_filters',
         'write enabled_filters = ComputeFilter below [filter_scheduler]', ''),
    Case('the default group in small letters',
         '[default]\nscheduler_driver = x\n', 'NX402', 2, '[default]',
         '[DEFAULT]', '', pasted=False),
    Case('a misspelt group',
         '[filter_schedular]\nenabled_filters = ComputeFilter\n',
         'NX402', 2, 'no group [filter_schedular]',
         'write [filter_scheduler]', '', pasted=False),
    Case('a blank inside the brackets',
         '[filter_scheduler ]\nenabled_filters = ComputeFilter\n',
         'NX402', 2, 'no group [filter_scheduler ]',
         'write [filter_scheduler]', '', pasted=False),
    Case('a misspelt option',
         '[filter_scheduler]\nenable_filters = ComputeFilter\n',
         'NX402', 2, 'no option enable_filters', 'write enabled_filters', ''),
    Case('dashes in an option',
         '[filter_scheduler]\nenabled-filters = ComputeFilter\n',
         'NX402', 2, 'no option enabled-filters', 'write enabled_filters',
         ''),
    Case('an option in capitals',
         '[filter_scheduler]\nEnabled_Filters = ComputeFilter\n',
         'NX402', 2, 'no option Enabled_Filters', 'write enabled_filters',
         ''),
    Case('an old option',
         '[DEFAULT]\nscheduler_default_filters = ComputeFilter\n',
         'NX401', 2, 'since Xena',
         'write enabled_filters = ComputeFilter below [filter_scheduler]', ''),
    Case('an old option that holds removed filters',
         '[DEFAULT]\nscheduler_default_filters = RetryFilter,ComputeFilter,\n'
         '    TrustedFilter\n',
         'NX401', 2, 'RetryFilter and TrustedFilter are gone, too; for '
         'TrustedFilter require a trait',
         'write enabled_filters = ComputeFilter below [filter_scheduler]', ''),
    Case('an old driver', '[scheduler]\ndriver = filter_scheduler\n',
         'NX401', 2, 'Nova has one scheduler', 'remove the line', ''),
    Case('an unknown driver', '[nova_ext]\nscheduler_driver = FilterSchedular'
         '\n', 'NX602', 2, 'no driver FilterSchedular',
         'write FilterScheduler', ''),
)

PATHS = (
    Case('a module for a class', using('gpu_a.filters', 'GpuFilter'),
         'NX502', 3, 'gpu_a.filters is a module',
         'write available_filters = gpu_a.filters.GpuFilter',
         'cannot be found',
         {'gpu_a/__init__.py': b'', 'gpu_a/filters.py': FILTERS}),
    Case('a module that is imported', using('gpu_b.filters', 'GpuFilter'),
         'NX502', 3, 'gpu_b.filters is a module',
         'write available_filters = gpu_b.filters.GpuFilter', 'ClassNotFound',
         {'gpu_b/__init__.py': b'from gpu_b import filters\n',
          'gpu_b/filters.py': FILTERS}),
    Case("a module of Nova's",
         '[filter_scheduler]\n'
         'available_filters = nova.scheduler.filters\n',
         'NX502', 2, 'nova.scheduler.filters is a module',
         'write available_filters = nova.scheduler.filters.all_filters',
         'ClassNotFound'),
    Case('a module of one of Nova\'s filters',
         f'{HEAD}available_filters = nova.scheduler.filters.compute_filter\n',
         'NX502', 3, 'compute_filter is a module',
         'write available_filters = nova.scheduler.filters.all_filters',
         'ClassNotFound', others=('NX204',)),
    Case('a module of weighers',
         '[filter_scheduler]\nweight_classes = nova.scheduler.weights.ram\n',
         'NX502', 2, 'is a module',
         'write weight_classes = nova.scheduler.weights.all_weighers',
         'ClassNotFound'),
    Case('a misspelt class', using('gpu_c.filters.GpuFiltr', 'GpuFilter'),
         'NX501', 3, 'has no GpuFiltr', 'write gpu_c.filters.GpuFilter',
         'GpuFiltr cannot be found',
         {'gpu_c/__init__.py': b'', 'gpu_c/filters.py': FILTERS}),
    Case('a class of the contrary',
         using('gpu_n.filters.NoGpuFilter', 'NoGpuFilter'),
         'NX501', 3, 'has no NoGpuFilter', 'correct the path',
         'NoGpuFilter cannot be found',
         {'gpu_n/__init__.py': b'', 'gpu_n/filters.py': FILTERS},
         pasted=False),
    Case('a misspelt module', using('gpu_d.filter.GpuFilter', 'GpuFilter'),
         'NX501', 3, 'gpu_d has no module', 'write gpu_d.filters.GpuFilter',
         'ModuleNotFoundError',
         {'gpu_d/__init__.py': b'', 'gpu_d/filters.py': FILTERS}),
    Case('a class of another module', using('gpu_e.GpuFilter', 'GpuFilter'),
         'NX501', 3, 'has no GpuFilter', 'write gpu_e.filters.GpuFilter',
         'GpuFilter cannot be found',
         {'gpu_e/__init__.py': b'', 'gpu_e/filters.py': FILTERS}),
    Case('a misspelt package', using('gpu_ff.GpuFilter', 'GpuFilter'),
         'NX501', 3, 'no module gpu_ff', 'write gpu_f.GpuFilter',
         'ModuleNotFoundError', {'gpu_f.py': FILTERS}, needs_nova=True),
    Case('a misspelt function', using('gpu_g.all_filter', 'GpuFilter'),
         'NX501', 3, 'has no all_filter', 'write gpu_g.all_filters',
         'all_filter cannot be found',
         {'gpu_g.py': FILTERS + b'\n\ndef all_filters():\n'
          b'    return [GpuFilter]\n'}),
    Case('a colon before the class',
         using('gpu_h:GpuFilter', 'GpuFilter'), 'NX501', 3,
         'no dotted path', 'write gpu_h.GpuFilter', 'ValueError',
         {'gpu_h.py': FILTERS}),
    Case('a path of a file', using('gpu_i/filters.py', 'GpuFilter'),
         'NX501', 3, 'no dotted path', 'write gpu_i.filters',
         'ModuleNotFoundError',
         {'gpu_i/__init__.py': b'', 'gpu_i/filters.py': FILTERS},
         pasted=False),
    Case('an empty path', '[filter_scheduler]\navailable_filters =\n',
         'NX501', 2, 'no path',
         'write available_filters = nova.scheduler.filters.all_filters',
         'ValueError'),
    Case('a list for a function', using('gpu_j.all_of_them', 'GpuFilter'),
         'NX502', 3, 'gpu_j.all_of_them is a value', 'derive it from',
         'ClassNotFound',
         {'gpu_j.py': FILTERS + b'\n\nall_of_them = [GpuFilter]\n'},
         pasted=False),
    Case('several paths on a line',
         '[filter_scheduler]\navailable_filters = '
         'nova.scheduler.filters.all_filters, gpu_k.GpuFilter\n'
         'enabled_filters = ComputeFilter,GpuFilter\n',
         'NX203', 2, 'several paths',
         'write available_filters = gpu_k.GpuFilter',
         'ModuleNotFoundError', {'gpu_k.py': FILTERS}),
    Case("without Nova's filters",
         '[filter_scheduler]\navailable_filters = gpu_l.GpuFilter\n'
         'enabled_filters = ComputeFilter,GpuFilter\n',
         'NX201', 2, 'no line provides ComputeFilter',
         'add the line available_filters = '
         'nova.scheduler.filters.all_filters', NOT_FOUND,
         {'gpu_l.py': FILTERS}),
    Case('a class that does not exist in Nova',
         '[filter_scheduler]\n'
         'weight_classes = nova.scheduler.weights.ram.RamWeigher\n',
         'NX301', 2, 'Nova has no nova.scheduler.weights.ram.RamWeigher',
         'write nova.scheduler.weights.ram.RAMWeigher',
         'RamWeigher cannot be found', others=('NX306',)),
    Case('a misspelt function of Nova\'s',
         '[filter_scheduler]\n'
         'weight_classes = nova.scheduler.weights.all_weigher\n',
         'NX301', 2, 'Nova has no nova.scheduler.weights.all_weigher',
         'write nova.scheduler.weights.all_weighers', 'cannot be found'),
    Case('a weigher among filters',
         f'{HEAD}available_filters = nova_wgh.RackWeigher\n',
         'NX502', 3, 'is a weigher', 'weight_classes', 'ClassNotFound',
         {'nova_wgh.py': b'from nova.scheduler import weights\n\n\n'
          b'class RackWeigher(weights.BaseHostWeigher):\n'
          b'    def _weigh_object(self, host_state, request_spec):\n'
          b'        return 1.0\n'}, pasted=False),
)

CODE = (
    Case('a syntax error', using('code_a.GpuFilter', 'GpuFilter'), 'NX501', 2,
         'SyntaxError', 'correct the syntax', 'SyntaxError',
         {'code_a.py': b'\nclass GpuFilter(\n'}, 'code_a.py', pasted=False),
    Case('an import that is gone', using('code_b.GpuFilter', 'GpuFilter'),
         'NX501', 2, 'nova.openstack.common was removed', 'oslo_log',
         'ModuleNotFoundError',
         {'code_b.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return True',
             head='from nova.openstack.common import log')},
         'code_b.py', pasted=False),
    Case('an import that is not installed',
         using('code_c.GpuFilter', 'GpuFilter'), 'NX501', 2,
         'no module nosuch_cmdb', 'install the package',
         'ModuleNotFoundError',
         {'code_c.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return True', head='import nosuch_cmdb')},
         'code_c.py', pasted=False, needs_nova=True),
    Case('no host_passes', using('code_d.GpuFilter', 'GpuFilter'), 'NX512',
         4, 'GpuFilter has no host_passes',
         'rename host_pass to host_passes', 'NotImplementedError',
         {'code_d.py': plugin(
             'GpuFilter', '    def host_pass(self, host_state, spec_obj):\n'
             '        return True')}, 'code_d.py', pasted=False),
    Case('no base class', using('code_e.GpuFilter', 'GpuFilter'), 'NX502', 4,
         'not a filter', 'nova.scheduler.filters.BaseHostFilter',
         'ClassNotFound',
         {'code_e.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return True', 'object')}, 'code_e.py', pasted=False),
    Case("another of Nova's base classes",
         using('code_f.GpuFilter', 'GpuFilter'), 'NX502', 5,
         'derives from nova.filters.BaseFilter',
         'nova.scheduler.filters.BaseHostFilter', 'ClassNotFound',
         {'code_f.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return True', 'base.BaseFilter',
             'from nova import filters as base')},
         'code_f.py', pasted=False),
    Case('too few arguments', using('code_g.GpuFilter', 'GpuFilter'), 'NX511',
         5, 'accepts host_state; Nova passes host_state and spec_obj',
         'write def host_passes(self, host_state, spec_obj)', 'TypeError',
         {'code_g.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state):\n'
             '        return True')}, 'code_g.py'),
    Case('an argument to create it', using('code_h.GpuFilter', 'GpuFilter'),
         'NX513', 5, 'without limit', 'a default', 'TypeError',
         {'code_h.py': plugin(
             'GpuFilter', '    def __init__(self, limit):\n'
             '        self.limit = limit\n\n'
             '    def host_passes(self, host_state, spec_obj):\n'
             '        return True')}, 'code_h.py', pasted=False),
    Case('an abstract class', using('code_i.GpuFilter', 'GpuFilter'),
         'NX513', 10, 'is abstract: it does not define find_rack',
         'define find_rack', 'abstract',
         {'code_i.py': plugin(
             'RackFilter', '    @abc.abstractmethod\n'
             '    def find_rack(self, host): ...\n\n\n'
             'class GpuFilter(RackFilter):\n'
             '    def host_passes(self, host_state, spec_obj):\n'
             '        return True',
             'filters.BaseHostFilter, abc.ABC', 'import abc')},
         'code_i.py', pasted=False),
    Case('an underscore', using('code_j._GpuFilter', '_GpuFilter'), 'NX502',
         3, 'begins with an underscore', 'without the underscore',
         'ClassNotFound',
         {'code_j.py': FILTERS.replace(b'GpuF', b'_GpuF')}, pasted=False),
    Case('nothing returned', using('code_k.GpuFilter', 'GpuFilter'), 'NX517',
         5, 'host_passes returns nothing', 'return True or False', '',
         {'code_k.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             "        host_state.host == 'n1'")}, 'code_k.py', pasted=False),
    Case('a text returned', using('code_l.GpuFilter', 'GpuFilter'), 'NX517',
         6, 'host_passes returns a text', 'return True or False', '',
         {'code_l.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             "        return 'no'")}, 'code_l.py', pasted=False),
    Case('a weigher that returns a text',
         '[filter_scheduler]\nweight_classes = '
         'nova.scheduler.weights.all_weighers,code_m.RackWeigher\n',
         'NX517', 6, '_weigh_object returns a text', 'return a number',
         'ValueError',
         {'code_m.py': b'from nova.scheduler import weights\n\n\n'
          b'class RackWeigher(weights.BaseHostWeigher):\n'
          b'    def _weigh_object(self, host_state, request_spec):\n'
          b"        return 'rack 1'\n"}, 'code_m.py', pasted=False),
    Case('a weigher that returns NaN',
         '[filter_scheduler]\nweight_classes = '
         'nova.scheduler.weights.all_weighers,code_n.RackWeigher\n',
         'NX517', 6, '_weigh_object returns NaN', 'return a number', '',
         {'code_n.py': b'from nova.scheduler import weights\n\n\n'
          b'class RackWeigher(weights.BaseHostWeigher):\n'
          b'    def _weigh_object(self, host_state, request_spec):\n'
          b"        return float('nan')\n"}, 'code_n.py', pasted=False),
    Case('a weigher without _weigh_object',
         '[filter_scheduler]\nweight_classes = '
         'nova.scheduler.weights.all_weighers,code_o.RackWeigher\n',
         'NX512', 4, 'RackWeigher has no _weigh_object',
         'define _weigh_object', 'abstract',
         {'code_o.py': b'from nova.scheduler import weights\n\n\n'
          b'class RackWeigher(weights.BaseHostWeigher):\n'
          b'    def weigh_objects(self, weighed_obj_list, '
          b'weight_properties):\n'
          b'        return [1.0 for _ in weighed_obj_list]\n'},
         'code_o.py', pasted=False),
    Case('a dictionary of old', using('code_p.GpuFilter', 'GpuFilter'),
         'NX514', 6, 'on lines 6, 7 and 8',
         "line 7: write spec.flavor for spec['instance_type']",
         'Error',
         {'code_p.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec):\n'
             "        project = spec.get('project_id')\n"
             "        flavor = spec['instance_type']\n"
             "        return (project, flavor, spec.get('image'))")},
         'code_p.py'),
    Case('a dictionary that is passed on',
         using('code_x.GpuFilter', 'GpuFilter'), 'NX514', 9,
         'GpuFilter._project uses props as a dictionary',
         'write props.project_id', 'Error',
         {'code_x.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec):\n'
             '        return self._project(spec)\n\n'
             '    def _project(self, props):\n'
             "        return props.get('project_id')")},
         'code_x.py', pasted=False),
    Case('a query for each host', using('code_q.GpuFilter', 'GpuFilter'),
         'NX515', 7, 'get_host_availability_zone queries the database',
         'make the call once', None,
         {'code_q.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return availability_zones.get_host_availability_zone('
             "spec_obj._context, host_state.host) == 'a'",
             head='from nova import availability_zones')},
         'code_q.py', pasted=False),
    Case('a call in the loop of filter_all',
         using('code_r.GpuFilter', 'GpuFilter'), 'NX515', 8,
         'socket.gethostbyname', 'make the call once', None,
         {'code_r.py': plugin(
             'GpuFilter',
             '    def filter_all(self, filter_obj_list, spec_obj):\n'
             '        for host in filter_obj_list:\n'
             '            if socket.gethostbyname(host.host):\n'
             '                yield host', head='import socket')},
         'code_r.py', pasted=False),
    Case('an option that Nova does not have',
         using('code_s.GpuFilter', 'GpuFilter'), 'NX516', 9,
         'no option [filter_scheduler] max_instance_per_host',
         'write CONF.filter_scheduler.max_instances_per_host',
         'NoSuchOptError',
         {'code_s.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return host_state.num_instances < '
             'CONF.filter_scheduler.max_instance_per_host',
             head='import nova.conf\n\nCONF = nova.conf.CONF')},
         'code_s.py', needs_nova=True),
    Case('an option of another group',
         using('code_t.GpuFilter', 'GpuFilter'), 'NX516', 9,
         'no option [DEFAULT] max_instances_per_host',
         'write CONF.filter_scheduler.max_instances_per_host',
         'NoSuchOptError',
         {'code_t.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return host_state.num_instances < '
             'CONF.max_instances_per_host',
             head='import nova.conf\n\nCONF = nova.conf.CONF')},
         'code_t.py', needs_nova=True),
    Case('a group that Nova does not have',
         using('code_u.GpuFilter', 'GpuFilter'), 'NX516', 7,
         'no group [gone_group]', 'what this release has',
         'NoSuchOptError',
         {'code_u.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return cfg.CONF.gone_group.enabled',
             head='from oslo_config import cfg\n')},
         'code_u.py', pasted=False, needs_nova=True),
    Case('a function that Nova does not have',
         using('code_v.GpuFilter', 'GpuFilter'), 'NX516', 7,
         'nova.scheduler.utils has no request_is_rebild',
         'write utils.request_is_rebuild', 'AttributeError',
         {'code_v.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return not utils.request_is_rebild(spec_obj)',
             head='from nova.scheduler import utils')},
         'code_v.py', needs_nova=True),
    Case('an attribute that a host does not have',
         using('code_y.GpuFilter', 'GpuFilter'), 'NX518', 6,
         'no HostState has free_ram_gb', 'write free_ram_mb / 1024',
         'AttributeError',
         {'code_y.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return host_state.free_ram_gb > 1')},
         'code_y.py', pasted=False),
    Case('a name of Python 2', using('code_z.GpuFilter', 'GpuFilter'),
         'NX519', 6, 'Python 3 has no unicode', 'write str', 'NameError',
         {'code_z.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             "        return unicode(host_state.host) != ''")},
         'code_z.py'),
    Case('a host state that is written to',
         using('code_aa.GpuFilter', 'GpuFilter'), 'NX520', 6,
         'changes free_ram_mb of the host state', 'compute the value', '',
         {'code_aa.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        host_state.free_ram_mb = 0\n        return True')},
         'code_aa.py', pasted=False),
    Case('a multiplier that is no method',
         '[filter_scheduler]\nweight_classes = '
         'nova.scheduler.weights.all_weighers,code_ab.RackWeigher\n',
         'NX511', 5, 'weight_multiplier is the value 2.0; Nova calls it',
         'write def weight_multiplier(self, host_state): return 2.0',
         'TypeError',
         {'code_ab.py': b'from nova.scheduler import weights\n\n\n'
          b'class RackWeigher(weights.BaseHostWeigher):\n'
          b'    weight_multiplier = 2.0\n\n'
          b'    def _weigh_object(self, host_state, request_spec):\n'
          b'        return 1.0\n'}, 'code_ab.py', pasted=False),
    Case('no file in Nova for a class',
         using('nova.scheduler.filters.own_gpu.GpuFilter', 'GpuFilter'),
         'NX501', 3, 'nova/scheduler/filters/own_gpu.py',
         'PACKAGE.own_gpu.GpuFilter', 'ModuleNotFoundError',
         pasted=False, needs_nova=True),
    Case('an object that Nova does not have',
         using('code_w.GpuFilter', 'GpuFilter'), 'NX516', 7,
         'nova.objects has no Instances', 'write objects.Instance',
         'AttributeError',
         {'code_w.py': plugin(
             'GpuFilter', '    def host_passes(self, host_state, spec_obj):\n'
             '        return isinstance(spec_obj, objects.Instances)',
             head='from nova import objects')},
         'code_w.py', needs_nova=True),
)

PLACES = (
    Case('a file beside the one kolla reads',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'kolla-ansible does not read this file', 'mv ', None,
         {'config/global.conf': b''}, 'config/nova-scheduler.conf',
         'config/nova-scheduler.conf', 'kolla', 'config'),
    Case('the same beside one that kolla reads',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'kolla-ansible does not read this file', 'cat ', None,
         {'config/nova/nova-scheduler.conf': b'[scheduler]\nworkers = 2\n'},
         'config/nova_scheduler.conf', 'config/nova_scheduler.conf', 'kolla',
         'config'),
    Case('the same file, given by its name',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'kolla-ansible does not read this file', 'mv ', None, {},
         'config/nova-scheduler.conf', 'config/nova-scheduler.conf',
         'kolla', 'config/nova-scheduler.conf', pasted=False),
    Case('the same file without a layout',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'kolla-ansible does not read this file', 'mv ', None, {},
         'kolla/config/nova-scheduler.conf',
         'kolla/config/nova-scheduler.conf', 'packages',
         'kolla/config/nova-scheduler.conf', pasted=False),
    Case('a folder of the service for kolla',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'kolla-ansible does not read this file', 'mv ', None,
         {'config/global.conf': b''}, 'config/nova-scheduler/nova.conf',
         'config/nova-scheduler/nova.conf', 'kolla', 'config'),
    Case('a host\'s file with the name of the service',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'kolla-ansible does not read this file', 'mv ', None,
         {'config/global.conf': b''},
         'config/nova/ctl1/nova-scheduler.conf',
         'config/nova/ctl1/nova-scheduler.conf', 'kolla', 'config'),
    Case('another suffix in nova.conf.d',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'oslo.config reads only *.conf', 'mv ', None,
         {'nova.conf.d/10-a.conf': b''}, 'nova.conf.d/50-gpu.cfg',
         'nova.conf.d/50-gpu.cfg', 'packages', 'nova.conf.d'),
    Case('a folder in nova.conf.d',
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 0,
         'oslo.config reads only *.conf', 'mv ', None,
         {'nova.conf.d/10-a.conf': b''}, 'nova.conf.d/gpu/50-gpu.conf',
         'nova.conf.d/gpu/50-gpu.conf', 'packages', 'nova.conf.d'),
    Case('what only nova-compute reads',
         '[DEFAULT]\ncpu_allocation_ratio = 4.0\n', 'NX108', 2,
         'nova-scheduler does not read [DEFAULT] cpu_allocation_ratio',
         "nova/nova-compute.conf of kolla-ansible's folder", None, {},
         'kolla/config/nova/nova-scheduler.conf',
         'kolla/config/nova/nova-scheduler.conf',
         given='kolla/config/nova/nova-scheduler.conf', pasted=False),
    Case('a template that no tool fills in',
         '[scheduler]\n{# a comment\n of two lines #}\n{% raw %}\n'
         'max_attempts = 3\n{% endraw %}\n', 'NX001', 2,
         'a statement of a template', 'nova-ext lint --layout kolla', None,
         pasted=False),
    Case('a file that OpenStack-Ansible does not read',
         'nova_scheduler_extra_filters:\n  - IoOpsFilter\n', 'NX002', 0,
         'reads user_*.yml', 'mv ', None,
         {'openstack_deploy/user_variables.yml': b'x: 1\n'},
         'openstack_deploy/nova.yml', 'openstack_deploy/nova.yml',
         'openstack-ansible', 'openstack_deploy'),
    Case('values of a Helm chart, named as configuration',
         'conf:\n  nova:\n    filter_scheduler:\n'
         '      enabled_filters: RetryFilter\n', 'NX002', 1,
         'lint reads nothing of it', 'nova-ext lint NOVA.CONF --expect ',
         None, {}, 'values.yaml', 'values.yaml', 'openstack-ansible',
         'values.yaml', pasted=False),
    Case('a misspelt variable of OpenStack-Ansible',
         'nova_scheduler_extra_filter:\n  - IoOpsFilter\n', 'NX405', 2,
         'no variable nova_scheduler_extra_filter',
         'write nova_scheduler_extra_filters', None, {},
         'user_variables.yml', 'user_variables.yml', 'openstack-ansible',
         'user_variables.yml', pasted=False),
    Case('a misspelt override of OpenStack-Ansible',
         'nova_conf_overrides:\n  scheduler:\n    max_attempts: 3\n',
         'NX405', 2, 'no variable nova_conf_overrides',
         'write nova_nova_conf_overrides', None, {}, 'user_variables.yml',
         'user_variables.yml', 'openstack-ansible', 'user_variables.yml',
         pasted=False),
    Case('a tab in YAML',
         'nova_nova_conf_overrides:\n\tscheduler:\n', 'NX001', 2,
         'a tab stands', 'sed -i', None, {}, 'user_variables.yml',
         'user_variables.yml', 'openstack-ansible', 'user_variables.yml'),
    Case('a misspelt phase of devstack',
         '[[local|localrc]]\nX=1\n[[post_config|$NOVA_CONF]]\n[scheduler]\n'
         'max_attempts = 3\n', 'NX002', 3, 'devstack has no phase',
         'write [[post-config|$NOVA_CONF]]', None, {}, 'local.conf',
         'local.conf', 'devstack', 'local.conf'),
    Case('a header of devstack without a bracket',
         '[local|localrc]]\nADMIN_PASSWORD=x\ndisable_service n-net\n',
         'NX001', 1, 'devstack takes the line for no header',
         'write [[local|localrc]]', None, {}, 'local.conf', 'local.conf',
         'devstack', 'local.conf'),
    Case('a header of devstack without a bracket at its end',
         '[[local|localrc]]\nX=1\n[[post-config|$NOVA_CONF]\n[scheduler]\n'
         'max_attempts = 3\n', 'NX001', 3,
         'devstack takes the line for no header',
         'write [[post-config|$NOVA_CONF]]', None, {}, 'local.conf',
         'local.conf', 'devstack', 'local.conf'),
    Case('blanks in a header of devstack',
         '[[local|localrc]]\nX=1\n[[ post-config | $NOVA_CONF ]]\n'
         '[scheduler]\nmax_attempts = 3\n', 'NX002', 3, 'blanks',
         'write [[post-config|$NOVA_CONF]]', None, {}, 'local.conf',
         'local.conf', 'devstack', 'local.conf'),
    Case('a removed filter in a section whose path begins with a slash',
         '[[local|localrc]]\nX=1\n[[post-config|/$NOVA_CONF]]\n'
         '[filter_scheduler]\nenabled_filters = ComputeFilter,RetryFilter\n',
         'NX102', 5, 'RetryFilter was removed',
         'write enabled_filters = ComputeFilter', None, {}, 'local.conf',
         'local.conf', 'devstack', 'local.conf'),
)

CASES = (*READING, *VALUES, *NAMES, *PATHS, *CODE, *PLACES)
