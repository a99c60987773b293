"""Answer a mirror's first readings of each provider without placement.

Reading 10,000 providers by placement's API takes many minutes. What placement
would answer is known, as the rows were written by this bench.
"""

from tests.bench.select import hosts as rows


class LoadingClient:
    """Answer for single providers; pass all else on to placement.

    :param client: Nova's.
    :param hosts: those of the cloud, without servers of the bench.
    """

    def __init__(self, client, hosts):
        self._client = client
        self._hosts = {host.uuid: host for host in hosts}
        self._generations = {}

    def __getattr__(self, name):
        return getattr(self._client, name)

    def get(self, url, **options):
        """Return the answer to a GET."""
        _, collection, *rest = url.partition('?')[0].split('/')
        if collection != 'resource_providers' or len(rest) != 2:
            answer = self._client.get(url, **options)
            if answer.status_code != 200:
                raise RuntimeError(f'{url}: {answer.text}')
            if url == '/resource_providers':
                self._generations = {
                    item['uuid']: item['generation']
                    for item in answer.json()['resource_providers']
                }
            return answer
        host, part = self._hosts[rest[0]], rest[1]
        return _Answer({
            'inventories': lambda: {
                name: rows.describe_inventory(name)
                for name in rows.CAPACITY
            },
            'usages': lambda: host.used,
            'traits': lambda: list(rows.TRAITS),
            'aggregates': lambda: [rows.describe_zone(host.zone)],
        }[part](), part, self._generations[host.uuid])


class _Answer:
    status_code = 200

    def __init__(self, values, part, generation):
        self._body = {
            part: values, 'resource_provider_generation': generation,
        }

    def json(self):
        return self._body
