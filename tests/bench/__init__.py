"""Time what nova-ext does beside Nova."""

from nova_ext.api import native_threads

# As Nova does, on the threads that it runs on.
native_threads.choose()
