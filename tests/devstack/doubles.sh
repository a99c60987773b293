#!/bin/bash
# Doubles of the functions of devstack that the plugin uses, and of those
# around it. What real devstack would not take ends up in MACHINE/strange.
#
# Variables are devstack's, too:
# shellcheck disable=SC2034,SC1091

ENABLED_SERVICES=${ENABLED_SERVICES:-key,n-api,n-cond,n-sch,n-cpu,placement-api,tempest}
VIRT_DRIVER=libvirt
NOVA_NUM_CELLS=1
NOVA_BIN_DIR=$MACHINE/bin
NOVA_CONF_DIR=$MACHINE/etc
NOVA_CONF=$NOVA_CONF_DIR/nova.conf
DATA_DIR=$DEST/data
NOVA_STATE_PATH=$DATA_DIR/nova
NOVA_FILTERS=ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,SameHostFilter,DifferentHostFilter
TEMPEST_CONFIG=$MACHINE/etc/tempest.conf
SERVICE_TIMEOUT=60
STACK_USER=$USER
SYSTEMCTL="sudo systemctl"
DEVSTACK_PLUGINS=""
declare -A GITDIR
export PATH=$HERE/bin:$PATH

function strange {
    echo "$*" >>"$MACHINE/strange"
    exit 70
}

function command_not_found_handle {
    strange "devstack has no $1"
}

# takes COUNT "$@": refuse another number of arguments to the caller.
function takes {
    local count=$1
    shift
    [[ $# == "$count" ]] || strange "${FUNCNAME[1]} takes $count arguments: $*"
}

# Messages and small things
# -------------------------

function echo_summary {
    takes 1 "$@"
}

function define_plugin {
    takes 1 "$@"
}

function die {
    takes 2 "$@"
    [[ $1 =~ ^[0-9]+$ ]] || strange "die takes a line number: $1"
    echo "[ERROR] $2" >&2
    exit 1
}

function trueorfalse {
    takes 2 "$@"
    case ${!2} in
        1 | [yY]es | YES | [tT]rue | TRUE) echo True ;;
        0 | [nN]o | NO | [fF]alse | FALSE) echo False ;;
        *) echo "$1" ;;
    esac
}

function is_service_enabled {
    local service
    for service in "$@"; do
        [[ ",$ENABLED_SERVICES," != *",$service,"* ]] || return 0
    done
    return 1
}

function remove_disabled_services {
    takes 2 "$@"
    local service kept=""
    for service in ${1//,/ }; do
        [[ ",$2," == *",$service,"* ]] || kept+=",$service"
    done
    echo "${kept#,}"
}

function add_user_to_group {
    takes 2 "$@"
    sudo usermod -a -G "$2" "$1"
}

function setup_develop {
    [[ $# == 1 || $# == 2 ]] || strange "setup_develop takes 1 argument or 2: $*"
    grep -q '^name = ' "$1/setup.cfg" || strange "no name in $1/setup.cfg"
    echo "-e $1${2:+[$2]}" >>"$MACHINE/installed"
}

function enable_service {
    local service
    for service in "$@"; do
        is_service_enabled "$service" || ENABLED_SERVICES+=",$service"
    done
}

# Configuration files
# -------------------

# Print the values of an option, one a line: file section option
function values {
    awk -v section="[$2]" -v option="$3" '
        /^\[/ { inside = $0 == section }
        inside && index($0, option " = ") == 1 {
            print substr($0, length(option) + 4)
        }' "$1"
}

# Set an option to values: file section option value...
function replace {
    local file=$1 section=$2 option=$3
    shift 3
    [[ -n $section && -n $option ]] || strange "no option: [$section] $option"
    touch "$file"
    grep -qxF "[$section]" "$file" || printf '\n[%s]\n' "$section" >>"$file"
    COUNT=$# VALUES=$(printf '%s\n' "$@") awk -v section="[$section]" -v option="$option" '
        /^\[/ { inside = $0 == section }
        inside && index($0, option " = ") == 1 { next }
        { print }
        $0 == section {
            split(ENVIRON["VALUES"], each, "\n")
            for (i = 1; i <= ENVIRON["COUNT"]; i++) print option " = " each[i]
        }' "$file" >"$file.new"
    mv "$file.new" "$file"
}

function iniget {
    takes 3 "$@"
    values "$@" | head -n 1
}

function iniget_multiline {
    takes 3 "$@"
    values "$@" | xargs
}

# Every line that there is gets the one value, as in devstack.
function iniset {
    takes 4 "$@"
    local count
    local -a all=("$4")
    count=$(touch "$1" && values "$1" "$2" "$3" | wc -l)
    while [[ ${#all[@]} -lt $count ]]; do
        all+=("$4")
    done
    replace "$1" "$2" "$3" "${all[@]}"
}

# Values are split on blanks, and an unset option's default is lost.
function iniadd {
    local file=$1 section=$2 option=$3
    shift 3
    # shellcheck disable=SC2046,SC2068
    replace "$file" "$section" "$option" $(values "$file" "$section" "$option") $@
}

function iniset_multiline {
    [[ $# -ge 3 ]] || strange "iniset_multiline takes 3 arguments or more: $*"
    local file=$1 section=$2 option=$3
    shift 3
    # shellcheck disable=SC2068
    replace "$file" "$section" "$option" $@
}

function inidelete {
    takes 3 "$@"
    replace "$@"
}

# local.conf
# ----------

function get_meta_section {
    takes 3 "$@"
    WANTED="[[$2|$3]]" awk '
        /^\[\[/ { inside = $0 == ENVIRON["WANTED"]; next }
        inside { print }' "$1"
}

function merge_config_file {
    takes 3 "$@"
    local file line section option value
    local -A lines=()
    eval "file=$3"
    while IFS= read -r line; do
        case $line in
            "["*"]") section=${line:1:-1} ;;
            *" = "*)
                option=${line%% = *} value=${line#* = }
                lines[$section $option]+="$value"$'\n'
                ;;
        esac
    done < <(get_meta_section "$1" "$2" "$3")
    for option in "${!lines[@]}"; do
        readarray -t value <<<"${lines[$option]%$'\n'}"
        if [[ ${#value[@]} == 1 ]]; then
            iniset "$file" "${option% *}" "${option#* }" "${value[0]}"
        else
            replace "$file" "${option% *}" "${option#* }" "${value[@]}"
        fi
    done
}

function merge_config_group {
    takes 2 "$@"
    local file
    for file in NOVA_CONF TEMPEST_CONFIG; do
        merge_config_file "$1" "$2" "\$$file"
    done
}

# Services
# --------

function run_process {
    takes 2 "$@"
    is_service_enabled "$1" || return 0
    [[ $2 == /* && $2 != *sudo* ]] || strange "run_process: $2"
    iniset "$SYSTEMD_DIR/devstack@$1.service" Service ExecStart "$2"
    $SYSTEMCTL enable "devstack@$1.service"
    $SYSTEMCTL start "devstack@$1.service"
}

function stop_process {
    takes 1 "$@"
    is_service_enabled "$1" || return 0
    if $SYSTEMCTL is-enabled "devstack@$1.service"; then
        $SYSTEMCTL stop "devstack@$1.service"
        $SYSTEMCTL disable "devstack@$1.service"
    fi
}

function restart_service {
    takes 1 "$@"
    sudo systemctl restart "$1"
}

function create_nova_conf {
    rm -f "$NOVA_CONF"
    iniset "$NOVA_CONF" DEFAULT state_path "$NOVA_STATE_PATH"
    iniset "$NOVA_CONF" filter_scheduler enabled_filters "$NOVA_FILTERS"
    if [[ $CELLSV2_SETUP != singleconductor ]]; then
        iniset "$NOVA_CONF" filter_scheduler track_instance_changes False
    fi
    local cell
    for ((cell = 1; cell <= NOVA_NUM_CELLS; cell++)); do
        iniset "$NOVA_CONF_DIR/nova_cell$cell.conf" database connection "mysql://nova_cell$cell"
    done
}

function start_nova_rest {
    run_process n-sch "$NOVA_BIN_DIR/nova-scheduler --config-file $NOVA_CONF"
}

function stop_nova_rest {
    stop_process n-sch
}

function async_runfunc {
    takes 1 "$@"
    "$1" &
}

function async_wait {
    takes 1 "$@"
    wait
}

# Plugins
# -------

function enable_plugin {
    [[ $# == 2 || $# == 3 ]] || strange "enable_plugin takes 2 or 3 arguments: $*"
    DEVSTACK_PLUGINS+=" $1"
    GITDIR[$1]=$DEST/$1
}

function run_phase {
    local plugin
    for plugin in $DEVSTACK_PLUGINS; do
        if [[ $1 == source ]]; then
            [[ ! -e ${GITDIR[$plugin]}/devstack/settings ]] || source "${GITDIR[$plugin]}/devstack/settings"
        else
            # shellcheck disable=SC2086
            source "${GITDIR[$plugin]}/devstack/plugin.sh" $1 ${2:-}
        fi
    done
}

get_meta_section "$TOP_DIR/local.conf" local localrc >"$MACHINE/localrc"
source "$MACHINE/localrc"
