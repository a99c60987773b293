"""Define the schemas of filters, weighers, costs, drivers and hints."""

from nova_ext.api.schemas.parts import (
    COUNT,
    NUMBER,
    TEXT,
    answer,
    extend,
    list_of,
    or_null,
)

_PLUGIN = answer(name=TEXT, source=TEXT, hints=or_null(list_of(TEXT)))
FILTERS = answer(scheduler=TEXT, filters=list_of(_PLUGIN))
WEIGHERS = answer(scheduler=TEXT, weighers=list_of(
    extend(_PLUGIN, multiplier=or_null(NUMBER))
))
for _listed in FILTERS, WEIGHERS:
    # Where no nova-ext-scheduler answers: when a decision was made by them.
    _listed['properties']['decided_at'] = TEXT
DRIVERS = answer(
    scheduler=TEXT, drivers=list_of(extend(_PLUGIN, topic=TEXT))
)
COSTS = answer(
    scheduler=TEXT, costs=list_of(extend(_PLUGIN, weight=COUNT))
)
HINTS = answer(
    hints=list_of(answer(name=TEXT, read_by=list_of(TEXT))),
    undeclared=list_of(TEXT),
)
