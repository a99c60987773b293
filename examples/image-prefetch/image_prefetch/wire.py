"""Where schedulers and services find each other on the message bus."""

#: The topic that the driver decides and that the services serve.
TOPIC = 'image_prefetch'
EXCHANGE = 'image_prefetch'
VERSION = '1.0'
