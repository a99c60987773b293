"""Call Nova's scheduler, on its own topic and on nova-ext's."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import oslo_messaging as messaging

from nova_ext.client import wire
from nova_ext.client.connection import read
from nova_ext.client.what_ifs import WhatIfs
from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.offers import OfferAnswer, OfferQuestion
from nova_ext.core.stats import capabilities as caps
from nova_ext.core.stats.validation import validate, validate_name

#: What Nova reads of each part of a request_spec, besides num_instances.
#: Where a part is absent, Nova names an attribute that is "not lazy-loadable".
_LEGACY_FIELDS = {
    'image': (),
    'instance_type': (
        'name', 'vcpus', 'memory_mb', 'root_gb', 'ephemeral_gb', 'swap',
        'extra_specs', 'disabled', 'is_public',
    ),
    'instance_properties': ('uuid',),
}


class UnclaimedDestination(TypedDict):
    """Represent a chosen host on which nothing is reserved."""

    host: str
    nodename: str
    limits: dict[str, Any] | None


class SchedulerClient(WhatIfs):
    """Call schedulers over the message bus that Nova's services share.

    Threads may share a client. Every method that waits for an answer ends in
    a result or in a SchedulingError: within two seconds of the timeout, and
    those that ask first whether a scheduler is there in seven more.

    :param url: the transport URL, ``rabbit://user:password@host:5672/``;
        None: ``[nova_ext] transport_url`` of oslo.config's global CONF, or
        else ``[DEFAULT] transport_url``. All other options of
        oslo.messaging are taken from it, too.
    :param timeout_s: seconds to wait for an answer, 1 at least.
    :param exchange: ``control_exchange`` of Nova's services; None: that of
        the global CONF, if a file of Nova's sets it, or else ``nova``.
    :raises UnreachableError: for a malformed URL.
    """

    def schedule(
        self, context: Any, topic: str, schedule_method: str, /,
        **kwargs: Any,
    ) -> Any:
        """Have the driver of a topic run one of the methods it offers.

        :param context: the caller's, of oslo.context.
        :param topic: the driver's topic.
        :param schedule_method: name of a method that the driver marked.
        :param kwargs: its arguments, of types that JSON has.
        :returns: its result, of types that JSON has.
        :raises SchedulingError: a subclass says what is wrong. The method
            runs once or not at all; after a RequestTimeoutError it is not
            known which. Where the bus itself breaks, it may run twice.
        """
        return self._call(
            context, 'schedule', topic=topic, schedule_method=schedule_method,
            arguments=kwargs,
        )

    def hosts_up(self, context: Any, topic: str) -> list[str]:
        """Return the hosts whose service of a topic is up, sorted.

        :param topic: ``compute``, or a topic whose services report.
        """
        return self.schedule(
            context, topic, 'hosts_up', topic=topic
        )

    def group_hosts(
        self, context: Any, topic: str, capability: str = ''
    ) -> dict[str, list[str]]:
        """Return hosts that are up, by the values of a capability.

        :param capability: its key; empty: the groups of the topic's driver.
        :returns: host names by value; '' holds those without a value.
        """
        return self.schedule(
            context, topic, 'group_hosts', topic=topic,
            capability=capability,
        )

    def update_service_capabilities(
        self, context: Any, service_name: str, host: str,
        capabilities: Mapping[str, Any],
    ) -> None:
        """Report what a service has and can do, to every scheduler worker.

        A report replaces the one before. A service that stops reporting
        counts as down; :class:`Reporter` keeps it up.

        :param service_name: the topic that the service serves.
        :param host: the host that it serves it on.
        :param capabilities: values by key, see
            :mod:`nova_ext.core.stats.capabilities`.
        :raises WrongArgumentsError: for capabilities that are malformed.
        :raises UnreachableError: when the report could not be sent.
        """
        self._cast(
            context, 'update_service_capabilities', service_name=service_name,
            host=host, capabilities=caps.validate(capabilities),
        )

    def update_resource_stats(
        self, context: Any, name: str | tuple[str, str],
        stats: Mapping[str, Any],
    ) -> None:
        """Send stats of a host, or of a node of it, to every worker.

        Stats that are not named stay as they are, each until it is older
        than ``[nova_ext_stats] max_age_s`` of the schedulers.

        :param name: a host, or a pair of host and node, as Nova has them.
        :param stats: values by name: fields of Nova's compute node, see
            ``nova_ext.core.stats.stats.FIELDS``, and any that begin with
            ``ext:``. A value is a finite number, a text or a truth.
        :raises WrongArgumentsError: for stats that are malformed.
        :raises UnreachableError: when they could not be sent.
        """
        self._cast(
            context, 'update_resource_stats', name=validate_name(name),
            stats=validate(stats),
        )

    def required_stats(self, context: Any) -> list[str]:
        """Return the names of the stats that plugins need, sorted.

        No other needs to be sent.
        """
        return self._call(context, 'required_stats')

    def make_offers(
        self, context: Any, question: OfferQuestion
    ) -> OfferAnswer:
        """Ask for offers of hosts of this zone; nothing is claimed.

        :param question: its deadline bounds the wait, too.
        :raises UnknownTopicError: where no ZoneAwareScheduler is configured.
        :raises NotHonouredError: where a scheduler would ignore an offer.
        :raises DriverError: naming a cost or a filter that raised.
        """
        # Nobody acts in the caller's name.
        context = copy.copy(context)
        context.auth_token = None
        answer = self._bus.call(
            context, self._get_target(), 'schedule', {
                'topic': 'zone', 'schedule_method': 'make_offers',
                'arguments': {'question': plain_data.dump_sparse(question)},
            }, question.deadline_s,
        )
        return read('make_offers', OfferAnswer.from_dict, answer)

    def in_force(self, context: Any) -> dict[str, Any]:
        """Return what is active in one scheduler.

        :returns: the ``host`` of the scheduler; its ``filters`` in the order
            in which they run, its ``weighers`` with their ``multiplier``, its
            ``drivers`` with their ``topic``. Each has a ``name``, its class
            as ``source``, and the ``hints`` that it reads; ``x*`` stands for
            all with this prefix, None is not known.
        :raises NoSchedulerError: this and a RequestTimeoutError as for
            :meth:`simulate`.
        """
        return self._call_quickly(context, 'in_force', 'list what is enabled')

    def service_capabilities(self, context: Any) -> dict[str, Any]:
        """Return what the services that report have, of all hosts together.

        :returns: ``services``: what values each capability has, by
            capability, by service, see
            :mod:`nova_ext.core.stats.zone_capabilities`; ``gathering``:
            whether the scheduler that answers has started so recently that
            services may be up that it does not know yet.
        :raises NoSchedulerError: this and a RequestTimeoutError as for
            :meth:`simulate`.
        """
        return self._call_quickly(
            context, 'service_capabilities', 'list what services report'
        )

    def mirror_states(self, context: Any) -> list[dict[str, Any]]:
        """Return what the mirrors of all scheduler workers do.

        :returns: of each worker that answers its ``host``, ``worker``,
            ``mode`` and ``state``; of one with a mirror also ``reason``,
            ``age_s``, ``hosts``, how many resource ``providers`` there are
            and of how many what there is was read, as ``providers_read``,
            the UUIDs of those ``refusing`` claims without a change, and the
            numbers of requests ``decided``, ``verified``, ``differing`` and,
            by the reason's id, ``fallbacks``.
        :raises NoSchedulerError: this and a RequestTimeoutError as for
            :meth:`simulate`.
        """
        return self._call_quickly(context, 'mirror_states', 'list mirrors')

    def select_destinations(
        self, context: Any, request_spec: Mapping[str, Any],
        filter_properties: Mapping[str, Any],
    ) -> Sequence[UnclaimedDestination]:
        """Have Nova's scheduler choose hosts, and reserve nothing there.

        This is Nova's legacy form: nothing is claimed, so that another
        request may take the hosts. A stock nova-scheduler answers it, too.

        :param request_spec: with ``num_instances``, ``image`` (may be
            empty), ``instance_type`` (a flavor's fields: ``name``,
            ``vcpus``, ``memory_mb``, ``root_gb``, ``ephemeral_gb``,
            ``swap``, ``extra_specs``, ``disabled``, ``is_public``) and
            ``instance_properties`` (a server's: ``uuid``; perhaps
            ``project_id``, ``user_id``, ``availability_zone``).
        :param filter_properties: with ``scheduler_hints`` (each a list),
            ``ignore_hosts``, ``force_hosts``; may be empty.
        :returns: a host for each of ``num_instances``.
        :raises WrongArgumentsError: for a request_spec without these.
        :raises NoHostError: when too few hosts fit.
        """
        _check_legacy(request_spec)
        return self._bus.call(
            context, messaging.Target(
                exchange=self._exchange, topic=wire.NOVA_TOPIC,
                version=wire.NOVA_VERSION,
            ), 'select_destinations', {
                'request_spec': dict(request_spec),
                'filter_properties': dict(filter_properties),
            },
        )

def _check_legacy(request_spec: Mapping[str, Any]) -> None:
    """Refuse a request_spec that Nova can't use.

    :raises WrongArgumentsError: naming all that is missing.
    """
    missing = []
    for part, fields in _LEGACY_FIELDS.items():
        values = request_spec.get(part)
        if not isinstance(values, Mapping):
            missing.append(f'{part}, a mapping')
        else:
            missing += [
                f'{part}.{field}' for field in fields if field not in values
            ]
    if missing:
        raise WrongArgumentsError(
            f'select_destinations: request_spec lacks {", ".join(missing)}'
        )
