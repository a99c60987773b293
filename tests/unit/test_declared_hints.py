"""Our plugins declare the hints that they read, and no others."""

import itertools
from importlib import metadata

import testtools
from oslo_config import cfg

from nova_ext import conf, testing
from nova_ext.core.decision.decision import COMPUTE
from nova_ext.core.request.scheduler_hints import get_declared_hints

OPTIONS = {
    'secret': ['between schedulers'], 'names': ['load1'], 'rules': [],
    'default_prefix': 'cmp', 'address_element': 'last',
}
#: Each has the request read as of another operation.
OPERATIONS = (
    {}, {'ignore_hosts': ['cmp-2']}, {'force_hosts': ['cmp-1']},
    {'requested_destination': testing.FakeDestination(cell='c')},
)
GIVEN = {
    name: ['x'] for name in (
        'requested_host', 'nova_ext_offer', 'nova_ext_owner', 'stats:load1',
        'stats:x',
        'group', 'same_host', 'different_host', 'query', 'rack',
    )
}


class RecordingHints(dict):
    """Hints that remember which of them were looked at."""

    def __init__(self, *given):
        super().__init__(*given)
        self.read = set()

    def get(self, name, default=None):
        """Remember the name."""
        self.read.add(name)
        return super().get(name, default)

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        self.read.add(name)
        return super().__contains__(name)

    def items(self):
        """Remember all names."""
        self.read.update(self)
        return super().items()


def plugins(kind):
    """Our classes of a kind, out of the entry points."""
    return [
        point.load() for point in metadata.entry_points(
            group=f'nova_ext.{kind}'
        ) if point.value.startswith('nova_ext.')
    ]


def options_of(cls):
    """The defaults of a class's own options, and what makes it look."""
    group, declared = cls.option_group or '', cfg.ConfigOpts()
    conf.register_group(declared, group)
    declared([], project='nova-ext', default_config_files=[],
             default_config_dirs=[])
    defaults = declared[group] if group and group in declared else {}
    return {**defaults, **OPTIONS}


def ask_filter(cls, request):
    """Ask all that a scheduler asks a filter."""
    made = cls(options_of(cls), testing.FakeFacts())
    made.is_restricted(request)
    testing.check(made, testing.make_host(), request)


def ask_weigher(cls, request):
    """Ask for a weight."""
    made = cls(options_of(cls), testing.FakeFacts())
    testing.weigh(made, testing.make_host(), request)


def ask_cost(cls, request):
    """Ask for a cost."""
    made = cls(options_of(cls), testing.FakeFacts())
    made.get_cost(testing.make_host(), request)


def ask_driver(cls, request):
    """Have hosts ranked, and tell what was chosen."""
    made = cls(testing.FakeFacts(), options_of(cls))
    context = testing.make_context()
    if cls.topic != COMPUTE:
        return  # its requests have no hints
    made.rank([testing.make_host()], request, context)
    made.on_scheduled(['cmp-1'], request, context)


def hints_read(ask, cls):
    """Names of the hints that a class looks at, on any operation.

    Names that begin with ``_nova`` are Nova's own: users can't give them.
    """
    read = set()
    for fields, many in itertools.product(OPERATIONS, (False, True)):
        # Alone, a hint can't keep the class from looking at another.
        for given in [GIVEN] if many else [{n: ['x']} for n in GIVEN]:
            hints = RecordingHints(given)
            ask(cls, testing.FakeRequest(scheduler_hints=hints, **fields))
            read |= hints.read
    return {
        'stats:*' if name.startswith('stats:') else name
        for name in read if not name.startswith('_nova')
    }


class DeclaredHintsTest(testtools.TestCase):
    """All filters, weighers, costs and drivers that nova-ext brings."""

    def test_as_read(self):
        """Every hint that is looked at is declared, and none beside."""
        for kind, ask in (
            ('filters', ask_filter), ('weighers', ask_weigher),
            ('costs', ask_cost), ('drivers', ask_driver),
        ):
            classes = plugins(kind)
            self.assertNotEqual([], classes)
            for cls in classes:
                self.assertEqual(
                    hints_read(ask, cls),
                    get_declared_hints(cls.hints, cls.hint_prefix), cls,
                )
