"""Print what a scheduler's files say, without what we wrote, as JSON.

Arguments: the name of our file, and the options of nova-scheduler; or, for
one file on standard input, its name alone.
"""

import argparse
import json
import pathlib
import sys
import tempfile

from oslo_config import cfg

from nova_ext.config_files import ini
from nova_ext.config_files.configuration import Configuration, Layer
from nova_ext.core.base import errors, offer_signature
from nova_ext.nova_releases import plugins_and_options
from nova_ext.record import location

BEGIN, END = '# BEGIN nova-ext', '# END nova-ext'
NAMES = {'project': 'nova', 'prog': 'nova-scheduler'}
#: Where nova-scheduler looks by itself, and reads last.
FOLDER = '/etc/nova/nova-scheduler.conf.d'


def main(name, *words):
    """Print one JSON object."""
    if words:
        parser = argparse.ArgumentParser(allow_abbrev=False)
        for kind in ('file', 'dir'):
            parser.add_argument(
                f'--config-{kind}', action='append', default=[],
                type=lambda path, kind=kind: (kind, path), dest='given',
            )
        files, target = find_files(
            name, parser.parse_known_args(words[1:])[0].given
        )
        texts = [(path, pathlib.Path(path).read_text()) for path in files
                 if pathlib.Path(path).exists()]
        try:
            # Of folders none but an empty one: their files are named.
            with tempfile.TemporaryDirectory() as folder:
                record = location.find_record(
                    [path for path, _ in texts], [folder]
                )
        except errors.NovaExtError as error:
            sys.exit(str(error))
    else:
        files, target, record = [], name, ''
        texts = [(name, sys.stdin.read())]
    others = [(path, take_block(text)) for path, text in texts
              if not words or pathlib.Path(path).name != name]
    # Left there while the options named other files.
    strays = [
        path for path, text in texts if path != target
        and (pathlib.Path(path).name == name or BEGIN in text.splitlines())
    ]
    print(json.dumps({
        'files': files, 'target': target, 'record': str(record),
        'strays': strays,
        'head': dict(texts).get(target, '').partition('\n')[0],
        'offers': read_fingerprint(texts), **read(others),
    }))


def find_files(name, given):
    """Return the files in oslo.config's order, and the one to write."""
    kinds = [kind for kind, _ in given]
    before = []
    if 'file' not in kinds:
        before += [('file', path) for path in cfg.find_config_files(**NAMES)]
    if 'dir' not in kinds:
        before += [('dir', path) for path in cfg.find_config_dirs(**NAMES)]
    if not given and not any('nova-scheduler' in path for _, path in before):
        before.append(('dir', FOLDER))
    sources = before + given
    kind, last = sources[-1]
    target = str(pathlib.Path(last, name)) if kind == 'dir' else last
    files = []
    for kind, path in sources:
        if kind == 'file':
            files.append(path)
            continue
        inside = {str(file) for file in pathlib.Path(path).glob('*.conf')}
        if (kind, path) == sources[-1]:
            inside.add(target)
        files += sorted(inside)
    if files[-1] != target:
        sys.exit(f'{files[-1]} is read after {target}, and would win')
    return files, target


def take_block(text):
    """Return a file's text without our block."""
    lines = text.splitlines()
    if BEGIN in lines:
        del lines[lines.index(BEGIN):lines.index(END) + 1]
    return '\n'.join(lines)


def read_fingerprint(texts):
    """Return those of the offers' secrets in force, in order; '' for none."""
    secrets = read_layers(texts).items('nova_ext_offers', 'secret')
    return ','.join(
        offer_signature.get_fingerprint(secret.text) for secret in secrets
    )


def read_layers(texts):
    """Return files as one configuration."""
    layers = []
    for path, text in texts:
        layers.append(Layer(path))
        ini.parse_lines(layers[-1], text.splitlines())
    return Configuration(layers)


def read(texts):
    """Return the options that our own depend on."""
    configuration = read_layers(texts)

    def last(group, option, default):
        value = configuration.last(group, option)
        return value.text if value else default

    def items(option, default):
        group = 'filter_scheduler'
        return [
            item.text for item in configuration.items(group, option)
        ] or list(default)

    return {
        'available_filters': [
            value.text for value in
            configuration.values('filter_scheduler', 'available_filters')
        ],
        'enabled_filters': items(
            'enabled_filters', plugins_and_options.DEFAULT_FILTERS
        ),
        'weight_classes': items(
            'weight_classes', [plugins_and_options.ALL_WEIGHERS]
        ),
        'use_queue_manager': last(
            'oslo_messaging_rabbit', 'use_queue_manager', 'false'
        ).lower() in ('true', '1', 'on', 'yes'),
        'manager_shutdown_timeout': int(
            last('DEFAULT', 'manager_shutdown_timeout', '160')
        ),
    }


if __name__ == '__main__':
    main(*sys.argv[1:])
