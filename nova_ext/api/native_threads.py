"""Run on threads: choose them for oslo.service, whose default is eventlet."""

import importlib.util
import warnings


def choose() -> None:
    """Have oslo.service use threads, unless the process has chosen already.

    Call it before oslo.messaging is imported. Releases before 2025.2 leave no
    choice; later ones need cotyledon for threads.
    """
    # futurist imports eventlet wherever it is installed.
    warnings.filterwarnings('ignore', r'\s*Eventlet is deprecated')
    if importlib.util.find_spec('cotyledon') is None:
        return
    try:
        from oslo_service.backend import (
            BackendType,
            register_backend_default_hook,
        )
    except ImportError:
        return
    register_backend_default_hook(lambda: BackendType.THREADING)
