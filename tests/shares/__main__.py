"""Measure all deployers' configurations, or those whose names are given.

``python -m tests.shares [WORD ...]``: a word of a deployer's name. The exit
status is 1 if more than a fifth of the requests are left to Nova.
"""

import sys
import unittest

from tests.shares.clouds import MIX, ShareCase
from tests.shares.deployers import DEPLOYERS


def main(words):
    """Print the mix, and each deployer's share.

    :returns: the exit status.
    """
    print('Of all requests: ' + ', '.join(
        f'{sum(each["percent"] for each in requests)} % {kind}'
        for kind, requests in MIX.items()
    ), flush=True)
    suite = unittest.TestSuite(
        type('DeployerShare', (ShareCase,), {'deployer': deployer})()
        for deployer in DEPLOYERS
        if not words or any(w in deployer.name.lower() for w in words)
    )
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
