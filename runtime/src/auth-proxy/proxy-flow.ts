import { Consents } from "./consents.js";
import { paths } from "./endpoints.js";
import { AuthorizationPages } from "./pages/authorization-pages.js";
import { BrowserCookies } from "./pages/browser-cookies.js";
import type { PageParts, ProxyFlow } from "./proxy-pages.js";
import { SealedRecords } from "./sealed-records.js";
import { UpstreamLogins } from "./upstream-logins.js";
import { UpstreamTokens } from "./upstream-tokens.js";

/** Joins the consent of the users, their log-ins at the provider, and the tokens that these give. */
export function createFlow({
  options,
  store,
  sealer,
  issuer,
  basePath,
  grantSeconds,
  pending,
  revokeAccount,
  report,
}: PageParts): ProxyFlow {
  const { upstream, upstreamTimeoutMs: timeoutMs = 10_000 } = options;
  const records = <Value extends object>(kind: string): SealedRecords<Value> => new SealedRecords(kind, store, sealer);
  const tokens = new UpstreamTokens(upstream, store, records("UpstreamTokens"), {
    timeoutMs,
    keepMs: grantSeconds * 1_000,
    revokeAccount,
  });
  const pages = new AuthorizationPages({
    options,
    basePath,
    pending,
    cookies: new BrowserCookies(issuer.startsWith("https:")),
    consents: new Consents(records("Consent"), records("ConsentBrowser")),
    logins: new UpstreamLogins(records("UpstreamLogin"), upstream, {
      redirectUri: `${issuer}${paths.callback}`,
      timeoutMs,
    }),
    tokens,
    report,
  });
  return {
    handle: (request, response) => pages.handle(request, response),
    tokensOf: (accountId, rejected) => tokens.of(accountId, rejected),
  };
}
