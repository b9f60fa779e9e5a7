import type { IncomingMessage } from "node:http";

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
  read({ headers }: IncomingMessage, name: string): string | undefined {
    const start = `${this.#prefix}${name}=`;
    const found = (headers.cookie ?? "")
      .split(";")
      // Other whitespace is part of the name: browsers let any host of the site set such a name, as it has no prefix.
      .map((pair) => pair.replace(/^[ \t]+/, ""))
      .filter((pair) => pair.startsWith(start))
      .map((pair) => pair.slice(start.length));
    const [value] = found;
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
}
