"""nova-ext-api: ``nova_ext.wsgi.api:application``."""

from nova_ext.api import native_threads

native_threads.choose()

from nova_ext.api import configuration, service  # noqa: E402  after it

application = service.build(configuration.read())
