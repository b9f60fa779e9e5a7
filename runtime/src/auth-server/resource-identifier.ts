import { isLoopbackUrl } from "../auth/discovery/secure-url.js";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";

/** The canonical URI of an MCP server (RFC 8707, section 2), with its parts. */
export interface ResourceIdentifier {
  /** Exactly as it was given: clients and authorization servers compare it byte for byte. */
  readonly text: string;
  readonly url: URL;
}

const example = '"https://mcp.example.com/mcp"';

/**
 * Checks the canonical URI of an MCP server.
 * @throws SdkError `INVALID_CONFIGURATION` when it is not an absolute https URL (http for this machine), or has a fragment, a user
 * name or a password
 */
export function parseResource(resource: unknown): ResourceIdentifier {
  const text = resource instanceof URL ? textOf(resource) : resource;
  if (typeof text !== "string") throw invalid(`must be the absolute URL of the MCP server, such as ${example}`);
  // URL parsers remove white space and control characters, and escape others; the text is compared as it is.
  const url = isUriText(text) ? parseUrl(text) : undefined;
  if (!url) throw invalid(`must be an absolute URL without spaces and quotes, such as ${example}`, text);
  if (!isSecure(url)) throw invalid("must begin with https:// (http:// is accepted for localhost only)", text);
  if (text.includes("#")) throw invalid("must not have a fragment (RFC 8707, section 2)", text);
  if (url.username || url.password) throw invalid("must not have a user name or a password");
  return { text, url };
}

/**
 * Returns the URL of the metadata of a protected resource (RFC 9728, section 3.1): its path follows the well-known one.
 * @throws SdkError `INVALID_CONFIGURATION` for a resource that is not an absolute https URL (http for this machine)
 * @example
 * ```ts
 * getOAuthProtectedResourceMetadataUrl("https://mcp.example.com/mcp");
 * // "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
 * ```
 */
export function getOAuthProtectedResourceMetadataUrl(resource: string | URL): string {
  const { url } = parseResource(resource);
  return `${url.origin}${metadataPath(url)}${url.search}`;
}

/** The well-known path of metadata that is about a whole origin. */
export const rootMetadataPath = "/.well-known/oauth-protected-resource";

/** The well-known path of the metadata of a resource. */
export function metadataPath({ pathname }: URL): string {
  return pathname === "/" ? rootMetadataPath : `${rootMetadataPath}${pathname}`;
}

/** Whether a URL is https, or http on this machine. */
export function isSecure(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackUrl(url));
}

/** Whether a text has only characters that URIs may contain, and needs no escapes in a quoted string. */
export function isUriText(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/** A `URL` adds a slash to an origin; identifiers should be without it (MCP 2026-07-28, canonical server URI). */
function textOf({ href, origin, pathname, search, hash }: URL): string {
  return pathname === "/" && search === "" && hash === "" && href === `${origin}/` ? origin : href;
}

function invalid(problem: string, given?: string): SdkError {
  // A password must not be printed.
  const got = given === undefined || given.includes("@") ? "" : `; got ${JSON.stringify(given.slice(0, 200))}`;
  return new SdkError("INVALID_CONFIGURATION", `resource ${problem}${got}`);
}
