# Completion of mcpwright for bash (3.2 and newer). If it has no suggestions, bash suggests files.
_mcpwright_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("${line%%$'\t'*}")
  done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _mcpwright_complete mcpwright
