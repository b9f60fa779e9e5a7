import type { IncomingMessage } from "node:http";
import { hashOf } from "../random-ids.js";

/** The cookies that each authorization has: of its form, and of its log-in at the provider. */
export type CookieKind = "form" | "login";

/** Most cookies of a kind that a browser has. */
const maxOfKind = 10;

/** The name of a cookie that belongs to one authorization or log-in, so that several can take place at the same time. */
export function cookieNameOf(kind: CookieKind, id: string): string {
  return `${kind}-${hashOf("cookie", id).slice(0, 16)}`;
}

/**
 * The cookies of the pages. With https, their names have the prefix `__Host-`: browsers accept them only from this host, for all of
 * its paths, and encrypted. With http, which is for tests on this machine, they have another name and no `Secure`.
 */
export class BrowserCookies {
  readonly #prefix: string;
  readonly #attributes: string;

  constructor(isSecure: boolean) {
    this.#prefix = isSecure ? "__Host-mcp-" : "mcp-";
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  }

  /** Returns the value of a cookie that has the form of those that `set` sets, and occurs once. */
  read(request: IncomingMessage, name: string): string | undefined {
    const found = this.#pairs(request, `${name}=`);
    const value = found[0]?.slice(this.#prefix.length + name.length + 1);
    return found.length === 1 && value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
  }

  /** @param maxAgeSeconds undefined for as long as the browser is open */
  set(name: string, value: string, maxAgeSeconds?: number): string {
    const end = maxAgeSeconds === undefined ? "" : `; Max-Age=${Math.floor(maxAgeSeconds)}`;
    return `${this.#prefix}${name}=${value}; ${this.#attributes}${end}`;
  }

  clear(name: string): string {
    return this.set(name, "", 0);
  }

  /**
   * Clears all but the newest cookies of a kind, of which each authorization has its own. Pages of others can make a browser begin many,
   * whose cookies would make its requests too large.
   */
  clearOldest(request: IncomingMessage, kind: CookieKind): readonly string[] {
    // Browsers send the oldest ones first (RFC 6265, section 5.4).
    const names = this.#pairs(request, `${kind}-`).map((pair) => pair.slice(this.#prefix.length).replace(/=.*/s, ""));
    return names.slice(0, -(maxOfKind - 1)).map((name) => this.clear(name));
  }

  #pairs({ headers }: IncomingMessage, start: string): readonly string[] {
    return (
      (headers.cookie ?? "")
        .split(";")
        // Other whitespace is part of the name: browsers let any host of the site set such a name, as it has no prefix.
        .map((pair) => pair.replace(/^[ \t]+/, ""))
        .filter((pair) => pair.startsWith(`${this.#prefix}${start}`))
    );
  }
}
