import type { LoginOptions, LoginResult } from "./log-in-to-server.js";

export type { LoginOptions, LoginResult } from "./log-in-to-server.js";

/**
 * Logs the user in to a server at a URL, and stores the credentials for later runs of `inspect` and `bind`. An earlier log-in is
 * replaced when this one has succeeded.
 * @throws DiagnosticError target-url-invalid, login-*, credentials-unusable, server-*
 */
export async function login(options: LoginOptions): Promise<LoginResult> {
  const live = await import("./log-in-to-server.js");
  return live.logInToServer(options);
}
