#!/bin/bash
#
# nova-ext's devstack plugin: what is done in which phase.
#
# The options are in settings, the functions in lib/nova_ext.

# shellcheck source=devstack/lib/nova_ext
source "$NOVA_EXT_DIR/devstack/lib/nova_ext"
# shellcheck source=devstack/lib/nova_ext_api
source "$NOVA_EXT_DIR/devstack/lib/nova_ext_api"

# A node without a scheduler, such as one with computes alone, has no part.
if is_service_enabled n-sch; then
    case "$1 ${2:-}" in
        "stack pre-install")
            nova_ext_check_zones
            nova_ext_check_options
            ;;
        "stack install")
            echo_summary "Installing nova-ext"
            nova_ext_install
            ;;
        "stack post-config")
            echo_summary "Configuring nova-ext"
            nova_ext_configure
            # shellcheck disable=SC2086
            if is_service_enabled $_NOVA_EXT_ZONE_PROGRAMS; then
                nova_ext_configure_zone
            fi
            nova_ext_check
            if is_service_enabled nova-ext-api; then
                echo_summary "Configuring nova-ext-api"
                nova_ext_configure_api
            fi
            ;;
        "stack extra")
            echo_summary "Starting the scheduler with nova-ext"
            nova_ext_start
            if is_service_enabled nova-ext-api; then
                echo_summary "Starting nova-ext-api"
                nova_ext_start_api
            fi
            ;;
        "stack test-config")
            if is_service_enabled tempest && [[ $NOVA_EXT_TEMPEST == True ]]; then
                echo_summary "Configuring Tempest for nova-ext"
                nova_ext_configure_tempest
            fi
            ;;
    esac
fi

# local.conf may have changed since the stack: what is there goes, whichever
# services are enabled now.
case "$1 ${2:-}" in
    "unstack ")
        nova_ext_stop_api
        nova_ext_unconfigure
        ;;
    "clean ")
        nova_ext_stop_api
        nova_ext_cleanup_api
        nova_ext_unconfigure
        nova_ext_cleanup
        ;;
esac
