#!/bin/bash
# stack.sh, unstack.sh and clean.sh, as far as a plugin of the scheduler sees
# them: stand.sh stack|unstack|clean
#
# MACHINE is the folder that stands for the computer; TWICE has the plugin
# run every phase again, RACE Neutron's part of nova.conf written beside it,
# TRACE what is run printed, as devstack does.
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

# shellcheck source=tests/devstack/elsewhere.sh
source "$HERE/elsewhere.sh"

# Changes nova.conf beside the plugins' post-config, for so long that it would
# overwrite what a plugin writes without waiting.
function configure_neutron_nova {
    cp "$NOVA_CONF" "$NOVA_CONF.neutron"
    for _ in {1..20}; do
        ! grep -q nova_ext_record "$NOVA_CONF" || break
        command sleep 0.1
    done
    iniset "$NOVA_CONF.neutron" neutron auth_type password
    mv "$NOVA_CONF.neutron" "$NOVA_CONF"
}

function phase {
    run_phase "$@"
    [[ -z ${TWICE:-} ]] || run_phase "$@"
}

function stack {
    phase source
    phase stack pre-install
    phase stack install
    create_nova_conf
    [[ -z ${RACE:-} ]] || async_runfunc configure_neutron_nova
    phase stack post-config
    merge_config_group "$TOP_DIR/local.conf" post-config
    async_wait configure_neutron_nova
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
    rm -rf "$NOVA_STATE_PATH" # as cleanup_nova, which unstack.sh runs, too
}

function clean {
    ("$0" unstack)
    phase source
    phase clean
}

[[ -z ${TRACE:-} ]] || set -o xtrace
"$1"
set +o xtrace
set >"$MACHINE/variables"
