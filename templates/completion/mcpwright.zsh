#compdef mcpwright
# Completion of mcpwright for zsh. If it has no suggestions, zsh suggests files.
_mcpwright() {
  local line word
  local -a offered
  while IFS= read -r line; do
    word="${line%%$'\t'*}"
    offered+=("${word//:/\\:}:${line#*$'\t'}")
  done < <("${words[1]}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${#offered} )); then
    _describe mcpwright offered
  else
    _files
  fi
}
if [[ "${funcstack[1]}" = _mcpwright ]]; then
  _mcpwright "$@"
else
  compdef _mcpwright mcpwright
fi
