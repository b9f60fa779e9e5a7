import { parseUrl } from "../../jsonrpc/parse-url.js";

/** The start of an http or https URL, and the characters that a URL consists of (RFC 3986, section 2). */
const httpUrl = /^https?:\/\/[^/?#][!-[\]-~]*$/i;
/** Letters, digits and the other characters that need no percent-encoding (RFC 3986, section 2.3). */
const unreserved = /[\w\-.~]/;

/**
 * Returns a URL without query and fragment, in the form in which equal URLs are equal strings (RFC 3986, sections 6.2.2 and 6.2.3):
 * `HTTPS://MCP.example:443/%7eanna/./mcp?x=1` becomes `https://mcp.example/~anna/mcp`.
 * @returns undefined when it is not an absolute http or https URL, or names a user
 */
export function normalizeTarget(text: string): string | undefined {
  const url = httpUrl.test(text) ? parseUrl(text) : undefined;
  if (!url) return undefined;
  const { origin, pathname, username, password } = url;
  return username === "" && password === "" ? origin + normalizePath(pathname) : undefined;
}

/** Normalises the percent-encoding of a path, which `URL` keeps as it is. */
function normalizePath(path: string): string {
  return path.includes("%") ? path.replace(/%[\da-f]{2}/gi, normalizeTriplet) : path;
}

function normalizeTriplet(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  return unreserved.test(character) ? character : triplet.toUpperCase();
}

/** The URLs of one MCP server, as the proofs of its clients name them (`htu`). */
export class ProofTargets {
  readonly #origin: string;
  /** The URL of the server, which proxies may have shortened or replaced on the way. */
  readonly #resource: string;

  constructor(resource: URL) {
    this.#origin = resource.origin;
    this.#resource = this.#origin + normalizePath(resource.pathname);
  }

  /** Whether `htu` is the URL of the server, or that of a request it has received. @param path that of the request */
  matches(htu: string, path: string): boolean {
    if (htu === this.#resource) return true;
    const target = normalizeTarget(htu);
    if (target === undefined) return false;
    return target === this.#resource || (path.startsWith("/") && target === normalizeTarget(this.#origin + path));
  }
}
