"""Print what a rendered chart of Nova says of its scheduler, as JSON.

On standard input: what ``helm template`` printed.
"""

import base64
import json
import sys

import yaml

FILE = 'nova.conf'
#: What Kubernetes takes where a pod names no other.
GRACE_S = 30


def main():
    """Print one JSON object."""
    documents = [
        one for one in yaml.safe_load_all(sys.stdin) if isinstance(one, dict)
    ]
    workloads = [one for one in documents if list(find_pods(one))]
    if not workloads:
        sys.exit('the chart renders no pod with a container nova-scheduler')
    pods = [pod for one in workloads for pod in find_pods(one)]
    # Computes may have a file of their own.
    names = {name for pod in pods for name in list_mounted(pod)}
    texts = {text for one in documents for text in read_files(one, names)}
    if len(texts) != 1:
        sys.exit(f'the chart\'s nova-scheduler has {len(texts)} files {FILE}')
    print(json.dumps({
        'text': texts.pop(),
        'grace_s': min(
            pod.get('terminationGracePeriodSeconds', GRACE_S) for pod in pods
        ),
        'replicas': sum(one['spec'].get('replicas', 1) for one in workloads),
    }))


def find_pods(document):
    """Yield the specification of a workload's pods, if a scheduler's."""
    template = (document.get('spec') or {}).get('template') or {}
    pod = template.get('spec') or {}
    if any(
        container['name'] == 'nova-scheduler'
        for container in pod.get('containers') or ()
    ):
        yield pod


def list_mounted(pod):
    """Yield kind and name of what a pod's volumes are made of."""
    for volume in pod.get('volumes') or ():
        if 'secret' in volume:
            yield 'Secret', volume['secret']['secretName']
        if 'configMap' in volume:
            yield 'ConfigMap', volume['configMap']['name']


def read_files(document, names):
    """Yield the files nova.conf of a secret or a config map of these."""
    kind = document.get('kind')
    if (kind, (document.get('metadata') or {}).get('name')) not in names:
        return
    for place in ('data', 'stringData'):
        text = (document.get(place) or {}).get(FILE)
        if text is None:
            continue
        if kind == 'Secret' and place == 'data':
            text = base64.b64decode(text).decode()
        yield text


if __name__ == '__main__':
    main()
