import type { LogoutOptions, LogoutResult } from "./log-out-of-server.js";

export type { LogoutOptions, LogoutResult } from "./log-out-of-server.js";

/**
 * Deletes the credentials of a log-in, and revokes them where the authorization server offers it (RFC 7009). A revocation that
 * fails is reported to `tell`.
 * @throws DiagnosticError target-url-invalid, credentials-unusable
 */
export async function logout(options: LogoutOptions): Promise<LogoutResult> {
  const live = await import("./log-out-of-server.js");
  return live.logOutOfServer(options);
}
