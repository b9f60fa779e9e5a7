import { parseUrl } from "../../jsonrpc/parse-url.js";
import { paths } from "../endpoints.js";
import { isLoopbackHost } from "../loopback-host.js";

/** Which redirect URIs this server accepts. */
export interface RedirectRules {
  /** The private-use schemes that they may have. */
  readonly schemes: readonly string[];
  readonly issuerUrl: URL;
  /** The path of the issuer without a slash at its end. */
  readonly basePath: string;
}

/** Whether a URL is a page of this server. A code that is sent to its own callback would count as one of the provider. */
export function isOwnPage(uri: string, { issuerUrl, basePath }: RedirectRules): boolean {
  const url = parseUrl(uri);
  if (url?.origin !== issuerUrl.origin || !url.pathname.startsWith(basePath)) return false;
  const path = url.pathname.slice(basePath.length);
  return Object.values(paths).some((own) => path === own || path.startsWith(`${own}/`));
}

/**
 * Explains why a redirect URI cannot be registered, or returns undefined. Accepted are https, http on a loopback host (RFC 8252,
 * section 7.3), and the listed private-use schemes (section 7.1).
 */
export function redirectUriProblem(uri: unknown, rules: RedirectRules): string | undefined {
  if (typeof uri !== "string" || uri === "") return "a redirect URI must be a string";
  if (uri.length > 2_000) return "a redirect URI must not be longer than 2,000 characters";
  // Parsers of URLs disagree about these characters.
  if (/[^\x21-\x7e]|[\\^`{|}<>"]/.test(uri))
    return "a redirect URI must not contain spaces, backslashes or other characters that URLs do not have";
  const url = parseUrl(uri);
  if (!url) return "a redirect URI must be an absolute URL";
  if (uri.includes("#")) return "a redirect URI must not contain a fragment";
  if (uri.includes("*")) return "a redirect URI must not contain a wildcard: it is compared exactly";
  const scheme = url.protocol.slice(0, -1);
  if (rules.schemes.includes(scheme)) return undefined;
  if (scheme !== "https" && scheme !== "http")
    return `a redirect URI must have https, or http on a loopback host; the scheme ${scheme} is not accepted here`;
  const [, authority = ""] = /^https?:\/\/([^/?]+)/i.exec(uri) ?? [];
  if (authority === "" || authority.includes("@")) return "a redirect URI must name its host, and no user";
  if (scheme === "http" && !isLoopbackHost(url.hostname))
    return "a redirect URI with http must have the host localhost, 127.0.0.1 or [::1]";
  if (isOwnPage(uri, rules)) return "a redirect URI must not be a page of this authorization server";
  return undefined;
}
