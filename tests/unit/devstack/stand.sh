#!/bin/bash
# stack.sh, unstack.sh and clean.sh, as far as a plugin of the scheduler sees
# them: stand.sh stack|unstack|clean
#
# MACHINE is the folder that stands for the computer; TWICE has the plugin
# run every phase again.
# shellcheck disable=SC2034,SC1091
set -o errexit

HERE=$(cd "$(dirname "$0")" && pwd)
TOP_DIR=$MACHINE/devstack
DEST=$MACHINE/stack
export SYSTEMD_DIR=$MACHINE/units

if [[ -n ${DEVSTACK_DIR:-} ]]; then
    source "$HERE/real.sh"
else
    source "$HERE/doubles.sh"
fi

function phase {
    run_phase "$@"
    [[ -z ${TWICE:-} ]] || run_phase "$@"
}

function stack {
    phase source
    phase stack pre-install
    phase stack install
    create_nova_conf
    phase stack post-config
    merge_config_group "$TOP_DIR/local.conf" post-config
    start_nova_rest
    merge_config_group "$TOP_DIR/local.conf" extra
    phase stack extra
    merge_config_group "$TOP_DIR/local.conf" post-extra
    phase stack test-config
    merge_config_group "$TOP_DIR/local.conf" test-config
}

function unstack {
    set +o errexit  # as unstack.sh and clean.sh are
    phase source
    phase unstack
    stop_nova_rest
}

function clean {
    ("$0" unstack)
    phase source
    phase clean
}

"$1"
set >"$MACHINE/variables"
