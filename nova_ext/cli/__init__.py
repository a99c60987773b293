"""Share what the commands of nova-ext and of OpenStackClient have alike.

``cmd`` and ``osc`` import it. Begin with ``server_create.py``, the options
of ``openstack server create``, and with ``explanation.py``, how an
explanation is printed.
"""
