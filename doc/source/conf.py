"""How Sphinx builds the documentation."""

import shutil
from pathlib import Path

from nova_ext.scaffold import names, package
from nova_ext.scaffold.kinds import KINDS

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
