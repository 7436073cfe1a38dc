# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of gpudbg's options for bash; source it, or put it into /usr/share/bash-completion/completions/gpudbg.
_gpudbg() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    case $before in
        --isa) mapfile -t COMPREPLY < <(compgen -W "$(gpudbg --batch -e 'info isa' 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$word") ;;
        --format) mapfile -t COMPREPLY < <(compgen -W "$(gpudbg --format list 2>/dev/null | awk '{ print $1 }')" -- "$word") ;;
        --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word") ;;
        -e | -ex | --base | --screen) ;;
        *)
            if [[ $word == --demo=* || ($before == '=' && ${COMP_WORDS[COMP_CWORD - 2]} == --demo) ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$(gpudbg --demo=list 2>/dev/null)" -- "${word#--demo=}")
            elif [[ $word == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W '--batch -x -e --json --isa --raw --base --format --screen --demo --plugin
                    --color -n --version --help' -- "$word")
            else
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
            fi
            ;;
    esac
}
complete -o filenames -F _gpudbg gpudbg
