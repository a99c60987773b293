"""Delete allocations that leaked because a scheduler died.

Nova-ext-scheduler's manager runs it as one of Nova's periodic tasks. Begin
with ``releaser``.
"""
