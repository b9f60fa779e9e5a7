import type { RequestId } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { markHandled } from "../timing/mark-handled.js";
import { raceAbort } from "../timing/race-abort.js";
import type { AuthorizedRequest, AuthProvider } from "./auth-provider.js";
import { isAuthorizationError } from "./authorization-error.js";
import type { FetchLike } from "./fetch-like.js";
import { reasonOf } from "./http-error.js";
import { operationOf, type OutgoingRequest } from "./outgoing-request.js";
import { readText } from "./response-body.js";
import { assertToken, checkedHeaders } from "./to-auth-provider.js";

/** The most challenges for authorization that one request may get. */
const maxChallenges = 3;
const maxErrorBytes = 2 ** 16;
/** Called with a request that waits for an authorization; the returned function, when it goes on. */
export type WaitHook = (id: RequestId) => (() => void) | undefined;
/** Sends a request once. */
type Attempt = (authorize: (request: AuthorizedRequest) => Promise<Record<string, string>>) => Promise<Response>;

/** Authorizes the requests of a transport: one authorization at a time, which all rejected requests wait for. */
export class Authorizer {
  #running: { readonly reason: string; readonly outcome: Promise<boolean> } | undefined;
  /** The number of authorizations that succeeded. */
  #renewals = 0;

  constructor(
    readonly provider: AuthProvider,
    readonly server: URL,
    readonly fetch: FetchLike,
    readonly onWait: WaitHook,
  ) {}

  /** Sends a request, again after each authorization. @returns a response of any status */
  async send(request: OutgoingRequest, attempt: Attempt): Promise<Response> {
    const { signal } = request;
    for (let challenges = 0; ;) {
      // Without a new token, this request would be rejected, too.
      if (this.#running?.reason === "401") await this.#wait(request, this.#running.outcome);
      const renewals = this.#renewals;
      const token = await this.#call(signal, () => this.token());
      if (token !== undefined) assertToken(token);
      const response = await attempt((one) => this.#headers(token, one, signal));
      const reason = this.#reasonOf(response);
      if (reason === undefined) return response;
      // A response that is not read keeps its connection, and a log-in can take minutes.
      const text = await raceAbort(
        signal,
        readText(response, maxErrorBytes, "cut").catch(() => ""),
      );
      const kept = new Response(text, response);
      // The other authorization gets other scopes.
      while (this.#running && this.#running.reason !== reason && this.#renewals === renewals)
        await this.#wait(
          request,
          this.#running.outcome.catch(() => false),
        );
      if (this.#renewals !== renewals) continue;
      // No user should have to log in for the end of a session: a new nonce of the server is all that can help.
      const isLast = challenges++ >= (request.method === "DELETE" ? 1 : maxChallenges);
      if (isLast) return kept;
      if (request.method === "DELETE") continue;
      if (!(await this.#wait(request, this.#authorize(request, reason, kept, token)))) return kept;
    }
  }

  /** The current token. */
  token(): ReturnType<AuthProvider["token"]> {
    return this.provider.token({ url: this.server });
  }

  /** Passes a response to the provider. */
  async inspect(response: Response, request: AuthorizedRequest, signal: AbortSignal): Promise<void> {
    if (this.provider.onResponse) await this.#call(signal, () => this.provider.onResponse?.(response, request));
  }

  async #headers(
    token: string | undefined,
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    if (token === undefined) return {};
    if (!this.provider.headers) return { authorization: `Bearer ${token}` };
    return checkedHeaders((await this.#call(signal, () => this.provider.headers?.(token, request))) ?? {});
  }

  /** Why authorization has to react to a response: rejected requests with the same reason share one authorization. */
  #reasonOf({ status, headers }: Response): string | undefined {
    if (!this.provider.onUnauthorized) return undefined;
    if (status === 401) return "401";
    const challenge = headers.get("www-authenticate") ?? "";
    return status === 403 && /\berror\s*=\s*"?insufficient_scope\b/i.test(challenge) ? challenge : undefined;
  }

  /** Returns whether to send the request again. */
  #authorize(
    { message }: OutgoingRequest,
    reason: string,
    response: Response,
    token: string | undefined,
  ): Promise<boolean> {
    if (this.#running) return this.#running.outcome;
    const challenge = {
      status: response.status,
      wwwAuthenticate: response.headers.get("www-authenticate") ?? undefined,
      url: this.server,
      token,
      operation: operationOf(message),
      response,
      fetch: this.fetch,
    };
    const run = async (): Promise<boolean> => {
      try {
        // Callers that abort stop to wait; the authorization goes on for the others.
        const again = (await this.#call(undefined, () => this.provider.onUnauthorized?.(challenge))) !== false;
        if (again) this.#renewals++;
        return again;
      } finally {
        this.#running = undefined;
      }
    };
    // The provider may send requests over this transport at once.
    const outcome = markHandled(Promise.resolve().then(run));
    this.#running = { reason, outcome };
    return outcome;
  }

  /** Waits for an authorization until the request is aborted. Meanwhile the timeouts of the message are paused. */
  async #wait<Value>({ message = [], signal }: OutgoingRequest, outcome: Promise<Value>): Promise<Value> {
    const messages = [message].flat() as readonly { readonly id?: RequestId; readonly method?: string }[];
    const resumes = messages.map(({ id, method }) => id !== undefined && method !== undefined && this.onWait(id));
    try {
      return await raceAbort(signal, outcome);
    } finally {
      for (const resume of resumes) if (resume) resume();
    }
  }

  /** Calls the provider. Waits for a promise until the request is aborted. */
  async #call<Value>(signal: AbortSignal | undefined, call: () => Value | PromiseLike<Value>): Promise<Value> {
    try {
      const value = call();
      return isPromiseLike(value) ? await raceAbort(signal, value) : value;
    } catch (error) {
      signal?.throwIfAborted();
      if (isAuthorizationError(error)) throw error;
      throw new SdkError("SEND_FAILED", `the authProvider failed: ${reasonOf(error)}`, undefined, { cause: error });
    }
  }
}
