# bash completion for geotagctl: /usr/share/bash-completion/completions/geotagctl

# The cameras that the daemon knows; none where it does not answer within a second.
_geotagctl_cameras() {
    "$1" ${2:+--socket "$2"} --timeout 1 cameras 2>/dev/null | while read -r _ name _; do
        printf '%s\n' "$name"
    done
}

_geotagctl_modes='slow-motion video timelapse photo hyperlapse livestream webcam supernight
    tracking pano-video pano-hyperlapse pano-timelapse selfie pano-photo boost-video vortex
    pano-supernight single-supernight'

_geotagctl() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local verb='' at=0 socket='' index choices=''
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
        --socket | -s) socket=${COMP_WORDS[++index]} ;;
        --timeout | -t | --exec) ((index++)) ;;
        -*) ;;
        *)
            verb=${COMP_WORDS[index]} at=$((COMP_CWORD - index))
            break
            ;;
        esac
    done
    case $before in
    --socket | -s | --exec)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --timeout | -t) return ;;
    esac
    if [[ -z $verb ]]; then
        choices='--socket --timeout --json --help watch events help status cameras camera gps
            record photo mode modes key sleep wake snapshot restart pair forget rename connect
            disconnect reconnect track mark raw version loglevel reload quit'
    else
        case $verb:$at in
        help:1) choices=$(_geotagctl_verbs) ;;
        status:1) choices='json --json' ;;
        record:1) choices='start stop toggle' ;;
        mode:1) choices=$_geotagctl_modes ;;
        key:1) choices='record qs snapshot' ;;
        events:1) choices='on off --json --exec' ;;
        watch:1) choices='--once' ;;
        loglevel:1) choices='error warning notice info debug' ;;
        track:1) choices='on off rotate info gpx kml geojson clips check' ;;
        track:*)
            COMPREPLY=($(compgen -f -- "$word"))
            return
            ;;
        record:2 | mode:2 | key:2 | photo:1 | modes:1 | sleep:1 | wake:1 | snapshot:1 | \
            restart:1 | connect:1 | disconnect:1 | reconnect:1 | version:1 | camera:1)
            choices="all $(_geotagctl_cameras "${COMP_WORDS[0]}" "$socket")"
            ;;
        forget:1 | rename:1 | raw:1)
            choices=$(_geotagctl_cameras "${COMP_WORDS[0]}" "$socket")
            ;;
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

_geotagctl_verbs() {
    printf '%s\n' help status cameras camera gps record photo mode modes key sleep wake snapshot \
        restart pair forget rename connect disconnect reconnect track mark raw version events \
        loglevel reload quit
}

complete -F _geotagctl geotagctl
