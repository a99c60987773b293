"""Run a real Prometheus that reads exporters, with the example rules."""

import json
import shutil
import socket
import subprocess
import time
from pathlib import Path
from urllib import parse, request

import fixtures
import yaml

EXAMPLES = Path(__file__).parents[1] / 'etc' / 'nova_ext' / 'prometheus'
DEADLINE_S = 600
#: What Grafana puts there.
_VALUES = {
    '$__rate_interval': '5m', '$instance': '.*', '$flavor': '.*',
}


def is_installed():
    """Say whether there is a Prometheus."""
    return bool(shutil.which('prometheus'))


def list_queries():
    """Return the queries of all panels, as Grafana sends them."""
    queries = []
    for path in sorted(EXAMPLES.glob('*.json')):
        for panel in json.loads(path.read_text())['panels']:
            for target in panel['targets']:
                query = target['expr']
                for name, value in _VALUES.items():
                    query = query.replace(name, value)
                queries.append(query)
    return queries


class Prometheus(fixtures.Fixture):
    """Read exporters each second.

    :param addresses: of the exporters, host and port.
    """

    def __init__(self, *addresses):
        self._addresses = addresses

    def _setUp(self):  # noqa: N802
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'prometheus.yml').write_text(yaml.safe_dump({
            'global': {'scrape_interval': '1s', 'evaluation_interval': '1s'},
            'rule_files': list(map(str, EXAMPLES.glob('*.yaml'))),
            'scrape_configs': [{
                'job_name': 'nova-ext',
                'static_configs': [{'targets': list(self._addresses)}],
            }],
        }))
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            address = f'127.0.0.1:{probe.getsockname()[1]}'
        self._url = f'http://{address}'
        process = subprocess.Popen([
            'prometheus', f'--config.file={folder}/prometheus.yml',
            f'--storage.tsdb.path={folder}/data',
            f'--web.listen-address={address}', '--log.level=error',
        ], stdin=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)

    def ask(self, path, **query):
        """Return the data that it answers."""
        url = f'{self._url}/api/v1/{path}?{parse.urlencode(query)}'
        with request.urlopen(url) as answer:  # noqa: S310  our own
            body = json.load(answer)
        assert body['status'] == 'success', body
        return body['data']

    def query(self, query):
        """Return the samples that a query finds; none while it starts."""
        try:
            return self.ask('query', query=query)['result']
        except OSError as error:
            is_starting = isinstance(
                getattr(error, 'reason', error), ConnectionError
            ) or getattr(error, 'code', 0) == 503
            if is_starting:
                return []
            raise

    def list_alerts(self):
        """Return the alerts that wait or are raised, with their flavors."""
        return {
            (alert['labels']['alertname'], alert['labels'].get('flavor'))
            for alert in self.ask('alerts')['alerts']
        }

    def list_health(self):
        """Return how Prometheus judges the rules."""
        return {
            rule['health'] for group in self.ask('rules')['groups']
            for rule in group['rules']
        }

    def wait_until(self, condition):
        """Return what a condition returns once it is true."""
        deadline = time.monotonic() + DEADLINE_S
        while not (result := condition()):
            if time.monotonic() > deadline:
                raise AssertionError(f'not within {DEADLINE_S} s: {condition}')
            time.sleep(0.2)
        return result
