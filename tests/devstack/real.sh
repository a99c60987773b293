#!/bin/bash
# The functions of a real devstack, with what changes a computer replaced.
#
# Variables are devstack's, and so are the files:
# shellcheck disable=SC2034,SC2154,SC1090,SC1091

mkdir -p "$TOP_DIR"
for part in functions functions-common inc lib stackrc openrc files tools; do
    ln -sfn "$DEVSTACK_DIR/$part" "$TOP_DIR/$part"
done
APACHE_USER=$(id -un)
RC_DIR=$TOP_DIR
FILES=$TOP_DIR/files
# devstack installs it, and has no other.
CONFIG_AWK_CMD=gawk
source "$TOP_DIR/functions"
extract_localrc_section "$TOP_DIR/local.conf" "$TOP_DIR/localrc" "$TOP_DIR/.localrc.auto"
source "$TOP_DIR/stackrc"
STACK_USER=stack
DEST=$MACHINE/stack
DATA_DIR=$DEST/data
GITDIR[nova-ext]=$DEST/nova-ext
GITDIR[blazar]=$DEST/blazar
SYSTEMD_DIR=$MACHINE/units
for part in apache tls database rpc_backend keystone nova placement tempest; do
    source "$TOP_DIR/lib/$part"
done
NOVA_BIN_DIR=$MACHINE/bin
NOVA_CONF_DIR=$MACHINE/etc
NOVA_CONF=$NOVA_CONF_DIR/nova.conf
TEMPEST_CONFIG=$MACHINE/etc/tempest.conf
REQUIREMENTS_DIR=$MACHINE/requirements
export PATH=$HERE/bin:$PATH

# Real setup_develop ends here.
function pip_install {
    echo "$*" >>"$MACHINE/installed"
}

# Nothing is waited for.
function sleep {
    :
}

async_init
