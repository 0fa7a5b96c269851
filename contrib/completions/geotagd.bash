# bash completion for geotagd: /usr/share/bash-completion/completions/geotagd

_geotagd() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    case $before in
    --config | --capture | --check-config) COMPREPLY=($(compgen -f -- "$word")) ;;
    --log-level) COMPREPLY=($(compgen -W 'error warning notice info debug' -- "$word")) ;;
    --simulate | --for) COMPREPLY=() ;;
    *)
        COMPREPLY=($(compgen -W '--config --stdin --check-config --simulate --for --log-level
            --capture --version --help' -- "$word"))
        ;;
    esac
}

complete -F _geotagd geotagd
