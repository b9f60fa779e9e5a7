import type { LogInTarget } from "./server-log-in.js";
import { type Ticket, ticketMs } from "./tickets.js";

const purpose = "gateway log-in cookie";
/** Most log-ins that a browser has in progress; each has a cookie. */
const maxCookies = 10;

/** A log-in in progress: `gateway`, at the authorization server of the gateway, then `server`, at that of the server. */
export interface BrowserLogIn {
  readonly phase: "gateway" | "server";
  readonly ticket: Ticket;
  /** The `state` of the authorization request. */
  readonly state: string;
}

/**
 * The log-ins in progress of a browser, in sealed cookies: only the browser that began a log-in can go on with it, at any node. With https,
 * their names have the prefix `__Host-`, so that browsers accept them only from this host.
 */
export class BrowserLogIns {
  readonly #prefix: string;
  readonly #attributes: string;

  constructor(isSecure: boolean) {
    this.#prefix = isSecure ? "__Host-mcp-log-in-" : "mcp-log-in-";
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  }

  /** Returns the values of `Set-Cookie` that keep a log-in, and remove the oldest ones of many. */
  async keep(logIn: BrowserLogIn, request: Request, sealer: LogInTarget["sealer"]): Promise<readonly string[]> {
    const value = await sealer.seal(logIn, purpose);
    // Browsers send the oldest ones first (RFC 6265, section 5.4).
    const names = this.#pairs(request).map((pair) => pair.replace(/=.*/s, ""));
    return [
      ...names.slice(0, -(maxCookies - 1)).map((name) => this.#set(name, "", 0)),
      this.#set(this.#nameOf(logIn.state), value, ticketMs / 1_000),
    ];
  }

  clear(state: string): string {
    return this.#set(this.#nameOf(state), "", 0);
  }

  /** Returns the log-in with this `state`; undefined unless this browser began it. */
  async find(
    state: string,
    phase: BrowserLogIn["phase"],
    request: Request,
    sealer: LogInTarget["sealer"],
  ): Promise<BrowserLogIn | undefined> {
    const start = `${this.#nameOf(state)}=`;
    const found = this.#pairs(request).filter((pair) => pair.startsWith(start));
    const [pair] = found;
    if (pair === undefined || found.length > 1) return undefined;
    const logIn = (await sealer.open(pair.slice(start.length), purpose)) as BrowserLogIn | undefined;
    return logIn?.state === state && logIn.phase === phase ? logIn : undefined;
  }

  #nameOf(state: string): string {
    return `${this.#prefix}${state.replace(/[^\w-]/g, "").slice(0, 16)}`;
  }

  #set(name: string, value: string, maxAgeSeconds: number): string {
    return `${name}=${value}; ${this.#attributes}; Max-Age=${maxAgeSeconds}`;
  }

  #pairs({ headers }: Request): readonly string[] {
    return (
      (headers.get("cookie") ?? "")
        .split(";")
        // Other whitespace is part of the name: browsers let any host of the site set such a name, as it has no prefix.
        .map((pair) => pair.replace(/^[ \t]+/, ""))
        .filter((pair) => pair.startsWith(this.#prefix))
    );
  }
}
