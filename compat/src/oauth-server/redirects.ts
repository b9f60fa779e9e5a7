import type { Response } from "express";
import type { OAuthError } from "./errors.js";

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whether a client may be redirected to a URL: it has registered the URL, or one of this computer with another port, because native
 * applications get their port from the system (RFC 8252, section 7.3).
 */
export function redirectUriMatches(requested: string, registered: string): boolean {
  if (requested === registered) return true;
  if (!URL.canParse(requested) || !URL.canParse(registered)) return false;
  const [one, other] = [new URL(requested), new URL(registered)];
  return loopbackHosts.includes(one.hostname) && withoutPort(one) === withoutPort(other);
}

function withoutPort(url: URL): string {
  const copy = new URL(url);
  copy.port = "";
  copy.hash = "";
  return copy.href;
}

/** The URL that reports an error to a client (RFC 6749, section 4.1.2.1). */
export function errorRedirect(
  redirectUri: string,
  { errorCode, message, errorUri }: OAuthError,
  state: string | undefined,
  issuer: string | undefined,
): string {
  const url = new URL(redirectUri);
  const params = { error: errorCode, error_description: message, error_uri: errorUri, state, iss: issuer };
  for (const [name, value] of Object.entries(params)) if (value) url.searchParams.set(name, value);
  return url.href;
}

/** Lets `response.redirect` add the issuer to redirects to a client (RFC 9207). */
export function addIssuerToRedirects(response: Response, redirectUri: string, issuer: string): void {
  const redirect = response.redirect.bind(response) as (...args: unknown[]) => void;
  const own = (...args: unknown[]): void =>
    redirect(...args.map((arg) => (typeof arg === "string" ? withIssuer(arg, redirectUri, issuer) : arg)));
  response.redirect = own;
}

function withIssuer(target: string, redirectUri: string, issuer: string): string {
  if (!URL.canParse(target)) return target;
  const [url, callback] = [new URL(target), new URL(redirectUri)];
  const isCallback =
    url.protocol === callback.protocol && url.host === callback.host && url.pathname === callback.pathname;
  if (!isCallback || url.searchParams.has("iss")) return target;
  url.searchParams.set("iss", issuer);
  return url.href;
}
