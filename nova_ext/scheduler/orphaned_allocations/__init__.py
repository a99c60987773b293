"""Release allocations of servers that Nova gave up before they had a host.

Nova-ext-scheduler's manager runs it as one of Nova's periodic tasks. Begin
with ``releaser``.
"""
