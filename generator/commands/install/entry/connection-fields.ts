/** Members whose strings can be shown: they say what the host starts or connects to, or name variables. */
const openFields: ReadonlySet<string> = new Set([
  "type",
  "source",
  "transport",
  "command",
  "args",
  "cwd",
  "envFile",
  "env_vars",
  "env_http_headers",
  "bearer_token_env_var",
  "url",
  "serverUrl",
  "httpUrl",
]);

const secretFields: ReadonlySet<string> = new Set(["env", "headers", "http_headers", "oauth", "auth"]);

/** Whether a member of an entry, in any host, says how to connect. `install` replaces those; others are settings of the user. */
export function isConnectionField(name: string): boolean {
  return openFields.has(name) || secretFields.has(name);
}

/** Whether the strings of a member may be secrets. */
export function mayBeSecret(name: string): boolean {
  return !openFields.has(name);
}
