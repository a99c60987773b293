"""How Sphinx builds the documentation."""

project = 'nova-ext'
copyright = 'nova-ext contributors'

extensions = [
    'openstackdocstheme',
    'cliff.sphinxext',
    'oslo_config.sphinxext',
    'oslo_policy.sphinxext',
    'sphinx.ext.autodoc',
]

autoprogram_cliff_app_dist_name = 'nova-ext'
# Options begin with two hyphens.
smartquotes = False

html_theme = 'openstackdocs'
openstackdocs_auto_name = False
openstackdocs_auto_version = False
openstackdocs_pdf_link = False
openstackdocs_use_storyboard = False

autodoc_member_order = 'bysource'
autodoc_typehints = 'signature'
