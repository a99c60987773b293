"""All is in pyproject.toml and setup.cfg; pbr hooks in here."""

import setuptools

setuptools.setup(setup_requires=['pbr>=6.1.1'], pbr=True)
