"""Keep what a lab is and where it lives: paths, hosts, settings, ports.

The rest of the lab and ``cmd/arguments.py`` import it. Begin with
``lab_state.py``, the content of lab.json.
"""
