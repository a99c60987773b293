#!/bin/bash
# Doubles of what devstack does in Keystone, in a database and in Apache,
# which the machine has not: what was asked for is written down.
#
# Variables are devstack's, too:
# shellcheck disable=SC2034

REGION_NAME=RegionOne
SERVICE_PROTOCOL=http
SERVICE_HOST=127.0.0.1

# told FILE COUNT "$@": write the arguments down, refuse another number.
function told {
    local file=$1 count=$2
    shift 2
    if [[ $# != "$count" ]]; then
        echo "${FUNCNAME[1]} takes $count arguments: $*" >>"$MACHINE/strange"
        exit 70
    fi
    echo "${FUNCNAME[1]} $*" >>"$MACHINE/$file"
}

function get_or_create_role {
    told keystone 1 "$@"
}

function get_or_create_project {
    told keystone 2 "$@"
}

function get_or_create_user {
    told keystone 3 "$@"
}

function get_or_add_user_project_role {
    told keystone 3 "$@"
}

function create_service_user {
    told keystone 1 "$@"
}

function get_or_create_service {
    told keystone 3 "$@"
}

function get_or_create_endpoint {
    told keystone 3 "$@"
}

function configure_keystone_authtoken_middleware {
    iniset "$1" keystone_authtoken username "$2"
}

function recreate_database {
    told database 1 "$@"
}

function database_connection_url {
    echo "mysql+pymysql://root@127.0.0.1/$1?charset=utf8"
}

function write_uwsgi_config {
    told apache 5 "$@"
    rm -f "$1"
    iniset "$1" uwsgi module "$2"
    echo "ProxyPass $3" >>"$(apache_site_config_for "$5")"
}

function remove_uwsgi_config {
    told apache 2 "$@"
    rm -f "$1"
    [[ -e $(apache_site_config_for "$2") ]] || echo "ERROR: Site $2 does not exist!" >&2
}

function apache_site_config_for {
    echo "$MACHINE/etc/apache-$1.conf"
}

function wait_for_service {
    told waited 2 "$@"
}
