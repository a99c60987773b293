"""Run Python code in processes that have imported Nova already.

Each is forked from one process without threads, which has imported what most
programs import: a new interpreter would spend seconds on the same. A test of
what is imported, or of how a program begins, needs an interpreter of its own.
"""

import importlib
import io
import multiprocessing
import os
import subprocess
import sys
import warnings
from concurrent import futures
from multiprocessing import reduction

from tests import imports

context = multiprocessing.get_context('forkserver')
context.set_forkserver_preload(['tests.unit.preloaded'])


class Program:
    """Run code beside the test; as ``subprocess.Popen`` of texts.

    :param code: is executed as ``python -c`` would.
    :param argv: ``sys.argv``, from the second word on.
    :param env: variables that are set in addition.
    :param stdin: what the code reads.
    """

    def __init__(self, code, *argv, env=None, cwd=None, stdin=''):
        outputs = [os.pipe() for _ in range(2)]
        self.stdout, self.stderr = (
            os.fdopen(ours, encoding='utf-8') for ours, _ in outputs
        )
        self._process = context.Process(target=_run, args=(
            code, [str(word) for word in argv],
            # The server has the variables of its start, not of now.
            {**os.environ, **(env or {})}, cwd, stdin,
            *(_Descriptor(theirs) for _, theirs in outputs),
        ))
        self._process.start()
        for _, theirs in outputs:
            os.close(theirs)
        self.terminate = self._process.terminate
        self.kill = self._process.kill

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.wait()
        self.stdout.close()
        self.stderr.close()

    @property
    def returncode(self):
        """Return its status; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout=None):
        """Wait until it ends, and return its status."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired('forked', timeout)
        return self.returncode

    def communicate(self, timeout=None):
        """Wait until it ends, and return what it wrote since."""
        with futures.ThreadPoolExecutor() as pool:
            written = [
                pool.submit(stream.read)
                for stream in (self.stdout, self.stderr)
            ]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            return tuple(each.result() for each in written)


def preload(*names):
    """Import modules for all programs.

    The server would pass over one that is not there, and each program would
    import all the rest by itself.

    :raises RuntimeError: a module can't be imported.
    """
    with imports.kept(), warnings.catch_warnings():
        # Of libraries, for their authors; a program's own are its test's.
        warnings.simplefilter('ignore')
        for name in names:
            try:
                importlib.import_module(name)
            except ImportError as error:
                raise RuntimeError(f'{name} can\'t be preloaded') from error


def run(code, *argv, timeout=None, check=False, **how):
    """Run code to its end; as ``subprocess.run`` of texts.

    :param how: as for :class:`Program`.
    """
    with Program(code, *argv, **how) as program:
        done = subprocess.CompletedProcess(
            argv, None, *program.communicate(timeout)
        )
        done.returncode = program.returncode
    if check:
        done.check_returncode()
    return done


def call(function, name=None):
    """Return code that calls a function as a console script does.

    :param function: its module and name, with a colon between.
    :param name: of the script.
    """
    return (
        f'import pkgutil, sys; sys.argv[0] = {name or function!r}; '
        f'sys.exit(pkgutil.resolve_name({function!r})())'
    )


def module(name):
    """Return code that runs a module as ``python -m`` does."""
    return f'import runpy; runpy.run_module({name!r}, None, "__main__", True)'


class _Descriptor:
    """Hand an open file to the process."""

    def __init__(self, number):
        self._number = number

    def __reduce__(self):
        return _take, (reduction.DupFd(self._number),)


def _take(duplicate):
    return duplicate.detach()


def _run(code, argv, env, cwd, stdin, *outputs):
    for number, theirs in enumerate(outputs, 1):
        os.dup2(theirs, number)
        os.close(theirs)
    sys.stdin = io.StringIO(stdin)
    sys.stdout, sys.stderr = (
        os.fdopen(number, 'w', buffering=1, closefd=False)
        for number in (1, 2)
    )
    os.environ.update(env)
    if cwd is not None:
        os.chdir(cwd)
    sys.argv = ['-c', *argv]
    exec(  # noqa: S102  a test's own code
        compile(code, '<string>', 'exec'), {'__name__': '__main__'}
    )
