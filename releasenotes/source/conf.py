"""How Sphinx builds the release notes."""

project = 'nova-ext release notes'
copyright = 'nova-ext contributors'

extensions = [
    'openstackdocstheme',
    'reno.sphinxext',
]

html_theme = 'openstackdocs'
openstackdocs_auto_name = False
openstackdocs_auto_version = False
openstackdocs_pdf_link = False
openstackdocs_use_storyboard = False
