/** The members of an entry, in all hosts, that say how to connect. `install` replaces them; the others are settings of the user. */
const connectionFields: ReadonlySet<string> = new Set([
  "type",
  "source",
  "transport",
  "command",
  "args",
  "cwd",
  "env",
  "envFile",
  "env_vars",
  "url",
  "serverUrl",
  "httpUrl",
  "headers",
  "http_headers",
  "env_http_headers",
  "bearer_token_env_var",
  "oauth",
  "auth",
]);

export function isConnectionField(name: string): boolean {
  return connectionFields.has(name);
}
