import { fail } from "../diagnostics/diagnostic.js";
import type { AuthorizationSettings } from "../command/authorization-settings.js";
import { credentialsPath } from "./credentials-path.js";
import { LazyAuthorization } from "./lazy-authorization.js";
import type { LoginUser } from "./login-user.js";
import { hasAuthorization, type HttpTarget, targetName } from "./target.js";

/**
 * Chooses how requests to a server are authorized: by the token, by the headers of the user, or by a log-in.
 * @throws DiagnosticError token-unencrypted
 */
export function serverAuthorization(
  target: HttpTarget,
  settings: AuthorizationSettings,
  user: LoginUser,
): LazyAuthorization | string | undefined {
  const { defaultToken, credentials = credentialsPath() } = settings;
  const token = settings.token ?? (hasAuthorization(target) ? undefined : defaultToken);
  if (token !== undefined) {
    if (!isEncrypted(target.url)) fail("token-unencrypted", { url: targetName(target) });
    return token;
  }
  if (hasAuthorization(target)) return undefined;
  return new LazyAuthorization(credentials, async () => {
    const { createLogin } = await import("./login-provider.js");
    return createLogin(target.url, { ...settings, credentials }, user);
  });
}

/** Whether others in the network cannot read the requests. */
function isEncrypted({ protocol, hostname }: URL): boolean {
  return (
    protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
