"""Start the programs and commands of nova-ext, one a file.

``service.py`` and ``arguments.py`` help them. Entry points name them. The
lab's commands are in ``lab/cli``. Begin with ``main.py``.
"""
