"""Read the facts that checks share, each once, when it is first needed."""

import concurrent.futures
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from nova_ext.core.base.errors import RecordError
from nova_ext.core.base.finding import Unchecked
from nova_ext.core.base.progress import Progress
from nova_ext.doctor.check import NotRunError
from nova_ext.doctor.cloud import IMAGES, PAGE, CloudApis
from nova_ext.doctor.configuration import Configuration
from nova_ext.doctor.model import Aggregate, Holding, Hypervisor, Service
from nova_ext.record import summary
from nova_ext.record.summary import Summary

#: The first microversion that shows services of a cell that is down.
SERVICES = '2.69'
#: The first with UUIDs, the last but a few with sizes.
HYPERVISORS = '2.53'
AGGREGATES = '2.41'
#: The first with the extra specs of each flavor.
FLAVORS = '2.61'
#: The first that lists servers of a cell that is down.
SERVERS = '2.69'
#: The first with forbidden traits; all that is read here was there by then.
PLACEMENT = '1.22'

#: Requests at a time, where each host needs its own.
_AT_A_TIME = 4

T = TypeVar('T')


class CloudFacts:
    """Read and keep a cloud's facts.

    :param cloud: where they are read.
    :param configuration: what the machine's files say.
    :param progress: shows what is being read.
    :param sample: how many providers to look into; 0: all.
    :param watch_s: seconds to watch heartbeats for.
    """

    def __init__(
        self, cloud: CloudApis, configuration: Configuration,
        progress: Progress, sample: int = 0, watch_s: float = 0.0,
    ) -> None:
        self.cloud = cloud
        self.configuration = configuration
        self.progress = progress
        self.watch_s = watch_s
        self._sample = sample
        self._read: dict[str, Any] = {}

    @property
    def services(self) -> list[Service]:
        """Return all services of all cells."""
        return self._once('services', self.services_now)

    def services_now(self) -> list[Service]:
        """Read all services anew."""
        body = self.cloud.get('compute', '/os-services', SERVICES)
        return [Service.read(service) for service in body['services']]

    @property
    def hypervisors(self) -> list[Hypervisor]:
        """Return all compute nodes of hosts that are mapped to a cell."""
        return self._once('hypervisors', lambda: [
            Hypervisor.read(node) for node in self._read_items(
                '/os-hypervisors/detail', 'hypervisors', HYPERVISORS
            )
        ])

    @property
    def providers(self) -> Mapping[str, str]:
        """Return the names of the compute nodes' providers, by UUID."""
        return self._once(
            'resource providers',
            lambda: self._read_providers('COMPUTE_NODE'),
        )

    @property
    def withheld(self) -> frozenset[str]:
        """Return the UUIDs of the providers that are marked as disabled."""
        return self._once('disabled providers', lambda: frozenset(
            self._read_providers('COMPUTE_NODE,COMPUTE_STATUS_DISABLED')
        ))

    @property
    def aggregates(self) -> list[Aggregate]:
        """Return all host aggregates."""
        return self._once('aggregates', lambda: [
            Aggregate.read(aggregate) for aggregate in self.cloud.get(
                'compute', '/os-aggregates', AGGREGATES
            )['aggregates']
        ])

    @property
    def flavors(self) -> Mapping[str, Mapping[str, str]]:
        """Return the extra specs of all flavors, by name."""
        return self._once('flavors', self._read_flavors)

    @property
    def images(self) -> Mapping[str, Mapping[str, str]]:
        """Return the properties of all images, by name and UUID."""
        return self._once('images', self._read_images)

    @property
    def members(self) -> Mapping[str, frozenset[str]]:
        """Return the UUIDs of each aggregate's providers, by its UUID."""
        return self._once('aggregates in placement', lambda: self._read_each(
            [aggregate.uuid for aggregate in self.aggregates],
            self._read_members,
        ))

    @property
    def sampled(self) -> list[str]:
        """Return the UUIDs of the providers to look into.

        UUIDs are random, so the first few are as good a sample as any.
        """
        return sorted(self.providers)[:self._sample or None]

    @property
    def left_out(self) -> list[Unchecked]:
        """Return what the sample leaves unchecked."""
        count = len(self.providers) - len(self.sampled)
        return [Unchecked(
            f'inventories and allocations of {count} of '
            f'{len(self.providers)} providers',
            'two requests for each: --sample 0',
        )] if count else []

    @property
    def holdings(self) -> Mapping[str, Holding]:
        """Return what placement holds for the sampled providers, by UUID.

        A provider that was deleted meanwhile is left out.
        """
        return self._once('inventories and allocations', lambda: {
            uuid: holding for uuid, holding in self._read_each(
                self.sampled, self._read_holding
            ).items() if holding
        })

    @property
    def servers(self) -> frozenset[str]:
        """Return the UUIDs of all servers that are not deleted."""
        return self._once('servers', lambda: frozenset(
            server['id'] for server in self._read_items(
                '/servers?all_tenants=1', 'servers', SERVERS
            )
        ))

    @property
    def records(self) -> Mapping[Path, Summary | RecordError]:
        """Return each decision record's summary, or why it can't be read."""
        return self._once('decision records', lambda: summary.summarize_all(
            self.configuration.records
        ))

    def _read_flavors(self) -> dict[str, Mapping[str, str]]:
        flavors = list(self._read_items(
            '/flavors/detail?is_public=None', 'flavors', FLAVORS
        ))
        # Nova leaves them out where its policy denies them.
        if any('extra_specs' not in flavor for flavor in flavors):
            raise NotRunError(
                'the extra specs of flavors', 'the policy '
                'os_compute_api:os-flavor-extra-specs:index'
            )
        return {flavor['name']: flavor['extra_specs'] for flavor in flavors}

    def _once(self, title: str, read: Callable[[], T]) -> T:
        """Read a fact once; fail again as it failed before."""
        if title not in self._read:
            try:
                with self.progress.step(title):
                    self._read[title] = read()
            except NotRunError as error:
                self._read[title] = error
        fact: T | NotRunError = self._read[title]
        if isinstance(fact, NotRunError):
            raise fact
        return fact

    def _read_items(
        self, path: str, key: str, microversion: str
    ) -> Iterator[Any]:
        """Yield a list's items, page by page; see :meth:`Cloud.pages`."""
        count = 0
        for page in self.cloud.pages(path, key, microversion):
            count += len(page)
            self.progress.detail(f'{count} so far')
            yield from page

    def _read_images(self) -> dict[str, Mapping[str, str]]:
        if not self.cloud.has(IMAGES):
            raise NotRunError('the properties of images', 'Glance')
        images = {}
        path = f'/v2/images?limit={PAGE}'
        while path:
            body = self.cloud.get(IMAGES, path)
            for image in body['images']:
                images[f'{image["name"]} ({image["id"]})'] = image
            self.progress.detail(f'{len(images)} so far')
            path = body.get('next', '')
        return images

    def _read_providers(self, traits: str) -> dict[str, str]:
        body = self.cloud.get(
            'placement', f'/resource_providers?required={traits}', PLACEMENT
        )
        return {
            each['uuid']: each['name'] for each in body['resource_providers']
        }

    def _read_members(self, aggregate: str) -> frozenset[str]:
        body = self.cloud.get(
            'placement', f'/resource_providers?member_of={aggregate}',
            PLACEMENT,
        )
        return frozenset(
            each['uuid'] for each in body['resource_providers']
        )

    def _read_holding(self, provider: str) -> Holding | None:
        path = f'/resource_providers/{provider}'
        inventories = self.cloud.find(
            'placement', f'{path}/inventories', PLACEMENT
        )
        allocations = self.cloud.find(
            'placement', f'{path}/allocations', PLACEMENT
        )
        if inventories is None or allocations is None:
            return None
        return Holding(
            inventories['inventories'], frozenset(allocations['allocations'])
        )

    def _read_each(
        self, keys: list[str], read: Callable[[str], T]
    ) -> dict[str, T]:
        """Read something for each of many keys, a few at a time."""
        values: dict[str, T] = {}
        with concurrent.futures.ThreadPoolExecutor(_AT_A_TIME) as pool:
            try:
                for key, value in zip(
                    keys, pool.map(read, keys), strict=True
                ):
                    values[key] = value
                    self.progress.detail(f'{len(values)} of {len(keys)}')
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return values
