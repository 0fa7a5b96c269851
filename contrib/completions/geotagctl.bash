# bash completion for geotagctl: /usr/share/bash-completion/completions/geotagctl

# The cameras that the daemon knows; none where it does not answer within a second.
_geotagctl_cameras() {
    "$1" ${2:+--socket "$2"} --timeout 1 --plain cameras 2>/dev/null | while read -r _ name _; do
        printf '%s\n' "$name"
    done
}

# The verbs and their arguments, as Verb.swift declares them.
_geotagctl_verbs() {
    printf '%s\n' help status cameras camera gps record photo mode modes key sleep wake \
        snapshot restart pair forget rename connect disconnect reconnect auto track mark raw \
        version events loglevel reload quit
}
_geotagctl_argument() {
    case $1:$2 in
    help:1) echo '@verbs' ;;
    status:1) echo 'json' ;;
    camera:1) echo '@targets' ;;
    record:1) echo 'start stop toggle' ;;
    record:2) echo '@targets' ;;
    record:3) echo '@targets' ;;
    photo:1) echo '@targets' ;;
    mode:1) echo '@modes' ;;
    mode:2) echo '@targets' ;;
    modes:1) echo '@targets' ;;
    key:1) echo 'record qs snapshot' ;;
    key:2) echo '@targets' ;;
    sleep:1) echo 'force @targets' ;;
    sleep:2) echo '@targets' ;;
    wake:1) echo '@targets' ;;
    snapshot:1) echo '@targets' ;;
    restart:1) echo '@targets' ;;
    forget:1) echo '@targets' ;;
    rename:1) echo '@camera' ;;
    connect:1) echo '@targets' ;;
    disconnect:1) echo '@targets' ;;
    reconnect:1) echo '@targets' ;;
    auto:1) echo 'on off status' ;;
    track:1) echo 'on off rotate' ;;
    raw:1) echo '@camera' ;;
    version:1) echo '@targets' ;;
    events:1) echo 'on off' ;;
    loglevel:1) echo 'error warning notice info debug' ;;
    esac
}
# End of the verbs.

# The modes that its cameras can be switched to; all that have a name where the daemon is silent.
_geotagctl_modes() {
    local modes
    modes=$("$1" ${2:+--socket "$2"} --timeout 1 --plain modes 2>/dev/null |
        while read -r _ name _; do printf '%s\n' "$name"; done)
    [[ -n $modes ]] || modes='slow-motion video timelapse photo hyperlapse livestream webcam
        supernight tracking pano-video pano-hyperlapse pano-timelapse selfie pano-photo boost-video
        vortex pano-supernight single-supernight'
    echo "$modes"
}

_geotagctl() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local verb='' at=0 socket='' index choices=''
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
        --socket | -s) socket=${COMP_WORDS[++index]} ;;
        --timeout | -t | --exec | --units | --config | -c) ((index++)) ;;
        -*) ;;
        *)
            verb=${COMP_WORDS[index]} at=$((COMP_CWORD - index))
            break
            ;;
        esac
    done
    case $before in
    --socket | -s | --exec | --config | -c)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --timeout | -t) return ;;
    --units)
        COMPREPLY=($(compgen -W 'metric imperial si' -- "$word"))
        return
        ;;
    esac
    if [[ -z $verb ]]; then
        choices="--socket --timeout --json --plain --units --help --version
            watch match clip evening doctor setup metrics $(_geotagctl_verbs)"
    else
        case $verb:$at in
        watch:*) choices='--big --once --units' ;;
        doctor:*) choices='--config --json' ;;
        setup:*) choices='--config' ;;
        metrics:*) choices='--output' ;;
        track:1) choices='on off rotate info gpx kml geojson clips report check' ;;
        match:* | clip:*)
            [[ $word == -* ]] || COMPREPLY=($(compgen -f -- "$word"))
            [[ $word == -* ]] || return
            choices='--track --json --gpx --csv --srt --vbo --geojson --chapters --otio --rate
                --force --exiftool'
            ;;
        evening:*)
            [[ $word == -* ]] || COMPREPLY=($(compgen -f -- "$word"))
            [[ $word == -* ]] || return
            choices='--output --format --rate --force --help'
            ;;
        track:*)
            choices='--from --to --output --camera --gpx --clips --repair --help'
            if [[ $word != -* ]]; then
                COMPREPLY=($(compgen -f -- "$word"))
                return
            fi
            ;;
        *) choices=$(_geotagctl_argument "$verb" "$at") ;;
        esac
        case $choices in
        @verbs) choices=$(_geotagctl_verbs) ;;
        force\ @targets)
            choices="force all $(_geotagctl_cameras "${COMP_WORDS[0]}" "$socket")"
            ;;
        @modes) choices=$(_geotagctl_modes "${COMP_WORDS[0]}" "$socket") ;;
        @targets) choices="all $(_geotagctl_cameras "${COMP_WORDS[0]}" "$socket")" ;;
        @camera) choices=$(_geotagctl_cameras "${COMP_WORDS[0]}" "$socket") ;;
        esac
        case $verb:$at:$word in
        events:1:*) choices+=' --json --exec' ;;
        *:*:-*) choices+=' --json --plain --help --socket --timeout' ;;
        esac
    fi
    # After a comma the next camera of the list.
    local head=''
    if [[ -n $verb && $word == *,* ]]; then
        head=${word%,*},
        choices=${choices#all }
    fi
    COMPREPLY=($(compgen -P "$head" -W "$choices" -- "${word#"$head"}"))
}

complete -F _geotagctl geotagctl
