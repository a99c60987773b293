"""Share what the commands of nova-ext and of OpenStackClient have alike.

``cmd``, ``osc``, ``zones``, doctor and the lab import it. Begin with
``server_create.py``, the options of ``openstack server create``, and with
``output.py``, how an explanation is printed.
"""
