import type { KoaContextWithOIDC } from "oidc-provider";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { paths } from "../endpoints.js";
import { errorPage } from "../error-page.js";
import { pageHeaders } from "../pages/page.js";
import { isLoopbackHost } from "../loopback-host.js";
import type { ProxySettings } from "../proxy-settings.js";

/**
 * Shows the error of an authorization request to the user instead of redirecting it, when the client registered itself and its
 * redirect URI leads to a web site. Otherwise a link to this server could lead anywhere: attackers can register clients, and choose
 * parameters that fail at once (RFC 9700, section 4.11.2). After the user has seen the consent page, errors are redirected.
 */
export function stopUntrustedRedirect(context: KoaContextWithOIDC, { issuerUrl, clients }: ProxySettings): void {
  if (context.path !== paths.authorization || context.status !== 303) return;
  const location = parseUrl(context.response.get("location"), issuerUrl);
  if (!location || location.origin === issuerUrl.origin) return;
  if (!location.protocol.startsWith("http") || isLoopbackHost(location.hostname)) return;
  if (clients.some(({ clientId }) => clientId === context.oidc.client?.clientId)) return;
  const reported = new URLSearchParams(location.search === "" ? location.hash.slice(1) : location.search);
  context.remove("location");
  context.status = 400;
  context.set(pageHeaders);
  context.body = errorPage(reported.get("error") ?? "invalid_request", reported.get("error_description") ?? undefined);
}
