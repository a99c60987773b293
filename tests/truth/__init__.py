"""Compare explanations with situations whose truth is known.

``python -m tests.truth`` makes each situation in a lab of ten hosts, in each
mode, asks for a server or a move, and judges what explain says. Begin with
``model.py`` and one module of ``situations``; ``judge.py`` says what is right,
vague, wrong or silent.
"""
