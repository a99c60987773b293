# shellcheck shell=bash
# Counts what a part of .ci/run passed and failed, tells why; sourced by it.

# tally KIND STATUS LOG -> "PASSED FAILED"
#
# KIND "tests": the sums over the summaries that stestr printed to LOG. A
# part that ended badly without a failed test, or ran none, counts as one
# failure more. KIND "check": one passed or one failed, by STATUS.
tally() {
    local kind=$1 status=$2 log=$3

    if [ "$kind" = check ]; then
        [ "$status" -eq 0 ] && echo '1 0' || echo '0 1'
        return
    fi
    awk -v status="$status" '
        /^ - Passed: [0-9]+$/ { passed += $3 }
        /^ - Failed: [0-9]+$/ { failed += $3 }
        /^ - Unexpected Success: [0-9]+$/ { failed += $4 }
        END {
            if (failed == 0 && (status != 0 || passed == 0)) failed = 1
            print passed + 0, failed + 0
        }' "$log"
}

# failures LOG: the failed tests that stestr printed to LOG, with their
# tracebacks and without what they logged.
failures() {
    awk '
        /^Failed [0-9]+ tests - output below:$/ { exit }
        /^\{[0-9]+\} / { traceback = 0 }
        /^\{[0-9]+\} .* FAILED$/ { print }
        /^Captured / { traceback = /^Captured traceback/ }
        traceback && NF' "$1"
}

# failed_tests LOG: the names of those that stestr printed to LOG; a class
# whose setUpClass failed is "setUpClass (tests.a.ATest)".
failed_tests() {
    sed -En 's/^\{[0-9]+\} (.*) \[[0-9.]+s\] \.\.\. FAILED$/\1/p' "$1"
}

# expression FILE: a regular expression for the tests, and all tests of the
# classes, that failed_tests wrote to FILE.
expression() {
    sed -E 's/([].()[])/[\1]/g
        /^setUpClass / !s/.*/^&$/
        s/^setUpClass \[[(]\](.*)\[[)]\]$/^\1[.]/' "$1" | paste -sd '|'
}
