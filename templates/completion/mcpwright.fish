# Completion of mcpwright for fish (3.0 and newer). If it has no suggestions, fish suggests files.
function __mcpwright_complete
    set -l words (commandline -opc)
    # Words such as NAME=value can stand before the program.
    while set -q words[1]; and not string match -qr '(^|/)mcpwright$' -- $words[1]
        set -e words[1]
    end
    set -q words[1]; or return
    set -l program $words[1]
    set -e words[1]
    # Only the word being written still has its quotes.
    set -l current (commandline -ct | string trim --left --chars='"\'')
    set -l offered ($program --complete $words "$current" 2>/dev/null)
    if set -q offered[1]
        printf '%s\n' $offered
    else
        __fish_complete_path "$current"
    end
end
complete --command mcpwright --no-files --arguments '(__mcpwright_complete)'
