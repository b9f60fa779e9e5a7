import { AuthorizationError } from "../../auth.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { type BrowserLogIn, BrowserLogIns } from "./browser-log-ins.js";
import { continuePage, donePage, problemPage, redirect, startPage } from "./log-in-pages.js";
import type { OpenerLogIn } from "./opener-log-in.js";
import type { LogInTarget } from "./server-log-in.js";
import type { ServerUsers } from "./server-users.js";
import { openTicket, type Ticket } from "./tickets.js";

/** What the pages need. */
export interface LogInHandlerHost {
  readonly page: URL;
  readonly opener: OpenerLogIn;
  /** Undefined before a gateway uses the log-in. */
  readonly sealer: LogInTarget["sealer"] | undefined;
  serverOf(ticket: Ticket): ServerUsers | undefined;
  report(error: Error): void;
}

/** The link has been opened by the user who asked. */
interface OpenTicket {
  readonly ticket: Ticket;
  readonly users: ServerUsers;
}

const outdated = "This link has been used, has expired, or does not belong to this gateway.";
const foreign = "This browser has not begun this log-in, or too long ago.";

/**
 * Serves the pages of log-ins: the link, the return from the authorization server of the gateway, and that from the authorization server of
 * the server. The link asks before it does anything, because programs that check links open them, too.
 */
export class LogInHandler {
  readonly #browser: BrowserLogIns;

  constructor(readonly host: LogInHandlerHost) {
    this.#browser = new BrowserLogIns(host.page.protocol === "https:");
  }

  /** @param path below that of the page */
  async respond(path: string, request: Request): Promise<Response> {
    const { method } = request;
    // Programs that look at links use HEAD. The other paths end something.
    const allowed = path === "" ? ["GET", "HEAD", "POST"] : ["GET"];
    if (!allowed.includes(method))
      return new Response("Method Not Allowed\n", { status: 405, headers: { allow: allowed.join(", ") } });
    try {
      const response = await this.#respond(path, request);
      return method === "HEAD" ? new Response(null, response) : response;
    } catch (error) {
      this.host.report(toError(error));
      const isAuthorization = error instanceof AuthorizationError;
      return problemPage(isAuthorization ? 502 : 500, isAuthorization ? error.message : "The gateway has failed.");
    }
  }

  #respond(path: string, request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    if (path === "") return request.method === "POST" ? this.#begin(request, searchParams) : this.#show(searchParams);
    return path === "/signed-in" ? this.#opened(request, searchParams) : this.#finish(request, searchParams);
  }

  async #show(parameters: URLSearchParams): Promise<Response> {
    const { page } = this.host;
    const opened = await this.#open(parameters.get("ticket"));
    if (!opened) return problemPage(410, outdated);
    const action = `${page.pathname}?${new URLSearchParams({ ticket: parameters.get("ticket") ?? "" }).toString()}`;
    return startPage(opened.users.target, page.host, action);
  }

  /** The user has pressed the button: sends the browser to the authorization server of the gateway. */
  async #begin(request: Request, parameters: URLSearchParams): Promise<Response> {
    // The page of another site cannot press it.
    if (!["same-origin", null].includes(request.headers.get("sec-fetch-site"))) return problemPage(403, foreign);
    const opened = await this.#open(parameters.get("ticket"));
    if (!opened || !(await opened.users.tickets.begin(opened.ticket))) return problemPage(410, outdated);
    const { ticket } = opened;
    const { url, state } = await this.host.opener.start(ticket.user);
    return continuePage(url, await this.#keep({ phase: "gateway", ticket, state }, request));
  }

  /** The browser returns from the authorization server of the gateway: only the user who asked may go on. */
  async #opened(request: Request, parameters: URLSearchParams): Promise<Response> {
    const logIn = await this.#find("gateway", request, parameters);
    if (!logIn) return problemPage(403, foreign);
    const { ticket, users, state } = logIn;
    const ended = [this.#browser.clear(state)];
    const opener = await this.#orDenied(this.host.opener.finish(ticket.user, this.#callback("/signed-in", request)));
    if (opener === undefined) return problemPage(403, "You were not logged in to the gateway.", ended);
    if (opener !== ticket.user)
      return problemPage(
        403,
        "This link is for another user. If you got it from another user, do not use it: it would connect your account with theirs.",
        ended,
      );
    const started = await users.start(ticket.user);
    const kept = await this.#keep({ phase: "server", ticket, state: started.state }, request);
    return redirect(started.url, [...ended, ...kept]);
  }

  /** The browser returns from the authorization server of the server. */
  async #finish(request: Request, parameters: URLSearchParams): Promise<Response> {
    const logIn = await this.#find("server", request, parameters);
    if (!logIn) return problemPage(403, foreign);
    const { ticket, users, state } = logIn;
    const ended = [this.#browser.clear(state)];
    const isGranted = await this.#orDenied(users.finish(ticket, this.#callback("/callback", request)).then(() => true));
    if (isGranted) return donePage(users.target, ended);
    await users.end(ticket, "denied");
    return problemPage(403, `The access to ${users.target.name} was not allowed.`, ended);
  }

  /** Returns undefined when the user, or the authorization server, has refused. */
  async #orDenied<Value>(outcome: Promise<Value>): Promise<Value | undefined> {
    try {
      return await outcome;
    } catch (error) {
      if (error instanceof AuthorizationError && error.reason === "denied") return undefined;
      throw error;
    }
  }

  /** The server of a ticket that can be used. */
  async #open(text: string | null): Promise<OpenTicket | undefined> {
    const { sealer } = this.host;
    const ticket = sealer && text !== null ? await openTicket(sealer, text) : undefined;
    return ticket && this.#usable(ticket);
  }

  async #usable(ticket: Ticket): Promise<OpenTicket | undefined> {
    const users = this.host.serverOf(ticket);
    const isOpen = users && (await users.tickets.stateOf(ticket.user, ticket.nonce)) === "open";
    return isOpen ? { ticket, users } : undefined;
  }

  /** The log-in in progress that this browser continues. */
  async #find(
    phase: BrowserLogIn["phase"],
    request: Request,
    parameters: URLSearchParams,
  ): Promise<(OpenTicket & { readonly state: string }) | undefined> {
    const [state = "", ...others] = parameters.getAll("state");
    const { sealer } = this.host;
    if (state === "" || others.length > 0 || !sealer) return undefined;
    const logIn = await this.#browser.find(state, phase, request, sealer);
    const usable = logIn && (await this.#usable(logIn.ticket));
    return usable && { ...usable, state };
  }

  async #keep(logIn: BrowserLogIn, request: Request): Promise<readonly string[]> {
    const { sealer } = this.host;
    return sealer ? this.#browser.keep(logIn, request, sealer) : [];
  }

  /** The URL as the authorization server knows it; a proxy may have changed that of the request. */
  #callback(path: string, { url }: Request): URL {
    const { page } = this.host;
    return new URL(`${page.origin}${page.pathname}${path}${new URL(url).search}`);
  }
}
