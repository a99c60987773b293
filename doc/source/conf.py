"""How Sphinx builds the documentation."""

import ast
import shutil
import sys
from pathlib import Path
from textwrap import indent

from nova_ext.core.decision.fallback import Fallback
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


def _list_fallbacks():
    """Return a table of the reasons why Nova decides instead."""
    rows = [('Id', 'Reason', 'When'), *(
        (f'``{each.value}``', each.text, each.cause) for each in Fallback
    )]
    return '.. list-table::\n   :header-rows: 1\n\n' + ''.join(
        f'   * - {name}\n     - {text}\n     - {cause}\n'
        for name, text, cause in rows
    )


#: What is put in the place that a page marks for it.
_GENERATED = {
    '.. packages of nova_ext': _describe_packages,
    '.. fallbacks of the mirror': _list_fallbacks,
    '.. tables of the audit': audit.render,
}


def _add_generated(app, docname, source):
    """Put what is generated in its place."""
    for mark, generate in _GENERATED.items():
        if mark in source[0]:
            source[0] = source[0].replace(mark, generate())


def setup(app):
    """Have pages read before Sphinx parses them."""
    app.connect('source-read', _add_generated)
