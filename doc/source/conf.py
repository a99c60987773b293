"""How Sphinx builds the documentation."""

import ast
import shutil
import sys
from pathlib import Path
from textwrap import indent

from nova_ext.scaffold import names, package
from nova_ext.scaffold.names import KINDS

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests import audit

project = 'nova-ext'
copyright = 'nova-ext contributors'

extensions = [
    'openstackdocstheme',
    'cliff.sphinxext',
    'oslo_config.sphinxext',
    'oslo_policy.sphinxext',
    'sphinx.ext.autodoc',
    'sphinx.ext.graphviz',
]

autoprogram_cliff_app_dist_name = 'nova-ext'
# Options begin with two hyphens.
smartquotes = False

html_theme = 'openstackdocs'
openstackdocs_auto_name = False
openstackdocs_auto_version = False
openstackdocs_pdf_link = False
openstackdocs_use_storyboard = False

# The tutorial shows what ``nova-ext new filter headroom`` writes.
_EXAMPLES = Path(__file__).parents[1] / 'build' / 'examples'
shutil.rmtree(_EXAMPLES, ignore_errors=True)
_EXAMPLES.mkdir(parents=True)
package.write(names.derive(KINDS['filter'], 'headroom'), _EXAMPLES)

graphviz_output_format = 'svg'

autodoc_member_order = 'bysource'
autodoc_typehints = 'signature'


def _describe_packages():
    """Return what each package's docstring says, as a definition list."""
    top = Path(__file__).parents[2] / 'nova_ext'
    entries = []
    for init in sorted(top.glob('*/**/__init__.py')):
        text = ast.get_docstring(ast.parse(init.read_text()))
        folder = init.parent.relative_to(top)
        entries.append(f'``{folder}/``\n{indent(text, "    ")}\n')
    return '\n'.join(entries)


#: What is made for a page, by the mark of its place there.
_MADE = {
    '.. packages of nova_ext': _describe_packages,
    '.. tables of the audit': audit.render,
}


def _add_made(app, docname, source):
    """Put what is made in the places that a page marks for it."""
    for mark, make in _MADE.items():
        if mark in source[0]:
            source[0] = source[0].replace(mark, make())


def setup(app):
    """Have pages read before Sphinx parses them."""
    app.connect('source-read', _add_made)
