"""nova-ext-api: ``nova_ext.wsgi.api:application``."""

from nova_ext.api import configuration, service

application = service.build(configuration.read())
