"""All is in pyproject.toml and setup.cfg; pbr hooks in here."""

import os
from pathlib import Path

import setuptools
from setuptools.command import egg_info


def list_files(file_list, top=os.curdir):
    """List the project's files, without those of hidden folders.

    pbr asks twice a build. setuptools' own would look through all of .tox.
    """
    found = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith('.')]
        found += [str(Path(folder, name)) for name in names]
    file_list.set_allfiles(found)


egg_info.FileList.findall = list_files
setuptools.setup(setup_requires=['pbr>=6.1.1'], pbr=True)
