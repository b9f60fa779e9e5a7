import { ELICITATION_CREATE, TOOLS_CALL } from "@mcpwright/protocol/names";
import type { InputRequests } from "../../authoring.js";
import { hasCapability } from "../../connection/capability.js";
import type { AuthProvider } from "../../http-client/auth-provider.js";
import { principalKey } from "../../http-server/principal-key.js";
import { requireInput } from "../../input-requests/input-required.js";
import { ErrorCode, ProtocolError, SdkError, UrlElicitationRequiredError } from "../../jsonrpc/errors.js";
import { supportsUrlElicitation } from "../../server/client-description.js";
import type { ServerContext } from "../../server/contracts.js";
import { raceAbort } from "../../timing/race-abort.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { PendingLogIns } from "./pending-log-ins.js";
import type { AskedLogIn, AttachedLogIn, LogInTarget } from "./server-log-in.js";
import type { Ticket, Tickets } from "./tickets.js";
import { ticketMs } from "./tickets.js";
import type { UserProvider } from "./user-provider.js";
import type { UserProviders } from "./user-providers.js";

const maxKnown = 10_000;
/** The codes of errors that concern the authorization of one user. */
const codesOfUser: readonly unknown[] = ["UNAUTHORIZED", "AUTHORIZATION_FAILED", "INSUFFICIENT_SCOPE"];

/** The log-in of the users at one server: keeps one provider per user, and asks for log-ins. */
export class ServerUsers implements AttachedLogIn {
  readonly #pending = new PendingLogIns((user, nonce) => this.#isOpen(user, nonce));
  /** The last log-in of each user that this node knows of. */
  readonly #known = new Map<string, string>();

  constructor(
    readonly target: LogInTarget,
    readonly tickets: Tickets,
    readonly providers: UserProviders,
    readonly waitMs: number,
    readonly detach: () => void,
  ) {}

  // Not the member `principal` of the context, which marks results as personal: the gateway does it.
  userOf({ extra }: Pick<ServerContext, "extra">): string | undefined {
    return principalKey(extra?.principal);
  }

  async providerFor(user: string | undefined): Promise<AuthProvider> {
    if (user === undefined)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        "each user logs in there, but the client is not authenticated: serve the gateway over HTTP, with the option authorization",
      );
    const since = this.providers.missingSince(user);
    if (since !== undefined) {
      if (!(await this.tickets.isDone(user, since))) throw missing();
      this.providers.loggedIn(user);
    }
    return this.providers.of(user);
  }

  isMissing(error: unknown): boolean {
    return error instanceof SdkError && error.code === "UNAUTHORIZED";
  }

  isOfUser(error: unknown): boolean {
    return error instanceof SdkError && codesOfUser.includes(error.code);
  }

  async resume(context: ServerContext): Promise<object | undefined> {
    const { logIn } = context.requestState as { readonly logIn: AskedLogIn };
    const user = this.userOf(context);
    const { action } = Object(context.inputResponses?.[logIn.key]) as { readonly action?: string };
    if (user === undefined || action === undefined) return undefined;
    if (action !== "accept") return this.#refusal(context);
    const { nonce } = logIn;
    if (await this.#isOpen(user, nonce)) await this.#wait(user, nonce, context.signal);
    return (await this.tickets.stateOf(user, nonce)) === "denied" ? this.#refusal(context) : undefined;
  }

  async ask(context: ServerContext, isWanted: boolean): Promise<object> {
    const { client, connection, row } = context;
    const user = this.userOf(context) ?? "";
    const { nonce, url } = await this.tickets.issue(user, this.providers.of(user).challenge);
    const { name } = this.target;
    const message = `Log in at the server "${name}" (${this.target.url.host}), which the gateway will use on your behalf.`;
    if (client.side.profile.serverRequests === "inResult") {
      if (row.alternatives && hasCapability(client.capabilities, "client.elicitation.url"))
        return this.#inputRequest(context, nonce, { mode: "url", message, url });
    } else if (supportsUrlElicitation(client)) {
      this.#pending.add(user, nonce, () => {
        if (connection.isOpen) connection.completeElicitation(nonce);
      });
      throw new UrlElicitationRequiredError([{ mode: "url", message, url, elicitationId: nonce }], message);
    }
    const text =
      `The user is not logged in at the server "${name}". Ask the user to open ${url} in a browser within ${ticketMs / 60_000} minutes, ` +
      `and to log in there; then repeat the request.`;
    return withoutInput(context, text, { server: name, reason: "LOG_IN_REQUIRED", url }, !isWanted);
  }

  /** Starts the log-in of a user whose identity was verified. @returns the page of the authorization server */
  async start(user: string): Promise<{ readonly url: URL; readonly state: string }> {
    const wwwAuthenticate = await this.tickets.challengeOf(user);
    return this.providers.of(user).start(this.target.url, wwwAuthenticate === undefined ? {} : { wwwAuthenticate });
  }

  /** Finishes the log-in that the ticket is for. @throws AuthorizationError */
  async finish(ticket: Ticket, callback: URL): Promise<void> {
    const provider: UserProvider = this.providers.of(ticket.user);
    await provider.finish(callback);
    await this.end(ticket, "done");
  }

  async end(ticket: Ticket, state: "done" | "denied"): Promise<void> {
    await this.tickets.end(ticket, state);
    if (state === "done") this.#loggedIn(ticket.user, ticket.nonce);
    this.#pending.end(ticket.nonce);
  }

  #loggedIn(user: string, nonce: string): void {
    if (this.#known.get(user) === nonce) return;
    this.#known.delete(user);
    this.#known.set(user, nonce);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    this.providers.loggedIn(user);
    this.target.loggedIn(user);
  }

  /** Whether a log-in has not ended. It may have ended at another node. */
  async #isOpen(user: string, nonce: string): Promise<boolean> {
    try {
      const state = await this.tickets.stateOf(user, nonce);
      if (state === "done") this.#loggedIn(user, nonce);
      return state === "open";
    } catch (error) {
      this.target.report(error as Error);
      return true;
    }
  }

  async #wait(user: string, nonce: string, signal: AbortSignal): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      stop = this.#pending.add(user, nonce, resolve);
      timer = setTimeout(resolve, timerDelay(this.waitMs));
    });
    try {
      await raceAbort(signal, ended);
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  #inputRequest({ requestState }: ServerContext, nonce: string, params: object): object {
    const key = `log-in-${crypto.randomUUID()}`;
    const logIn: AskedLogIn = { server: this.target.name, nonce, key };
    const inputRequests = { [key]: { method: ELICITATION_CREATE, params } } as unknown as InputRequests;
    // The request may be in a round of the server, which goes on after the log-in.
    return requireInput({ inputRequests, requestState: { keys: [], ...(requestState as object | undefined), logIn } });
  }

  #refusal(context: ServerContext): object {
    const { name } = this.target;
    const text = `The user refused to log in at the server "${name}"`;
    return withoutInput(context, text, { server: name, reason: "LOG_IN_REFUSED" }, true);
  }
}

/** A tool's own error, which models see; for other requests an error of the protocol. */
function withoutInput({ method }: ServerContext, text: string, data: object, isError: boolean): object {
  if (method === TOOLS_CALL) return { content: [{ type: "text", text }], ...(isError && { isError }) };
  throw new ProtocolError(ErrorCode.InternalError, text, data);
}

function missing(): SdkError {
  return new SdkError("UNAUTHORIZED", "the user has to log in first");
}
