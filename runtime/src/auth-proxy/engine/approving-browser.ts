import { errors, type KoaContextWithOIDC } from "oidc-provider";
import type { BrowserCookies } from "../pages/browser-cookies.js";
import type { ApprovingBrowser } from "../proxy-pages.js";
import { hashOf, isSameText } from "../random-ids.js";

/**
 * Checks that the browser which asks for the code is the one in which the user has consented and logged in. The engine's own cookies do
 * not prove that: another host of the same site could have planted those of a log-in that an attacker began, which its user then
 * answers (RFC 6265bis, section 8.6). Hosts cannot plant cookies with the prefix `__Host-`.
 * @throws AccessDenied for another browser
 */
export function checkBrowser(context: KoaContextWithOIDC, cookies: BrowserCookies): void {
  const { cookieName = "", browserHash = "" } = (context.oidc.result?.["browser"] ?? {}) as Partial<ApprovingBrowser>;
  const secret = cookies.read(context.req, cookieName);
  if (secret === undefined || !isSameText(hashOf(secret), browserHash))
    throw new errors.AccessDenied("the user logged in with another browser");
  context.append("set-cookie", cookies.clear(cookieName));
}
