"""List what shadows say of the schedulers' journals."""

import time
from typing import Any

from nova_ext.api.http.request import Request
from nova_ext.core.explanation import shadow_report
from nova_ext.decisions import shadow_reports


def list_(request: Request) -> dict[str, Any]:
    """List the newest report of each shadow, by scheduler host."""
    host = request.query.get('host', '')
    with request.backends.database().reading() as session:
        reports = list(shadow_reports.find(session, host))
    now = time.time()
    return {'shadow_reports': [
        {**report, **shadow_report.judge(report, now)} for report in reports
    ]}
