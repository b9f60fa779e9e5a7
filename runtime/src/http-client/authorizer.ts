import type { RequestId } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import { markHandled } from "../timing/mark-handled.js";
import { raceAbort } from "../timing/race-abort.js";
import type { AuthChallenge, AuthorizedRequest, AuthProvider } from "./auth-provider.js";
import { isAuthorizationError } from "./authorization-error.js";
import type { FetchLike } from "./fetch-like.js";
import { hideSame, reasonOf } from "./http-error.js";
import { operationOf, type OutgoingRequest } from "./outgoing-request.js";
import { readText } from "./response-body.js";
import { assertToken, checkedHeaders } from "./to-auth-provider.js";

/** The most challenges of one status that one request may get: scopes can be missing after tokens were rejected. */
const maxChallenges = 3;
const maxErrorBytes = 2 ** 16;

/** Called with a request that waits for an authorization; the returned function, when it goes on. */
export type WaitHook = (id: RequestId) => (() => void) | undefined;

/** Requests that were sent before its end, and are rejected for the same reason, share the outcome of an authorization. */
interface SharedAuthorization {
  readonly reason: unknown;
  readonly outcome: Promise<boolean>;
}

/** Authorizes the requests of a transport: one authorization at a time, which all rejected requests wait for. */
export class Authorizer {
  #running: SharedAuthorization | undefined;
  #last: SharedAuthorization | undefined;
  /** The number of authorizations that succeeded. */
  #renewals = 0;

  constructor(
    readonly provider: AuthProvider,
    readonly url: URL,
    readonly fetch: FetchLike,
    readonly onWait: WaitHook,
  ) {}

  /**
   * Sends a request, again after each authorization.
   * @param attempt sends it once, with this token
   * @returns a response of any status
   */
  async send(request: OutgoingRequest, attempt: (token: string | undefined) => Promise<Response>): Promise<Response> {
    const { method, message, signal } = request;
    const { url, fetch } = this;
    // No user should have to log in to end a session.
    const isEnd = method === "DELETE";
    const challenges = new Map<number, number>();
    for (;;) {
      // Without a new token, this request would be rejected, too.
      if (this.#running?.reason === 401) await this.#wait(request, this.#running);
      const renewals = this.#renewals;
      const last = this.#last;
      const token = await this.#call(() => this.token(), signal);
      assertToken(token);
      const received = await attempt(token);
      const reason = rejectionReason(received);
      if (reason === undefined || !this.provider.onUnauthorized) return received;
      // A log-in can take minutes, and a response that is not read keeps its connection.
      const text = readText(received, maxErrorBytes, "cut").catch(() => "");
      const response = hideSame(new Response(await raceAbort(signal, text), received), received);
      // An authorization for another reason may bring what is missing.
      while (this.#renewals === renewals && this.#running && this.#running.reason !== reason)
        await this.#wait(request, this.#running).catch(() => signal.throwIfAborted());
      if (this.#renewals !== renewals) continue;
      const { status } = response;
      const count = challenges.get(status) ?? (isEnd ? maxChallenges - 1 : 0);
      challenges.set(status, count + 1);
      if (count >= maxChallenges) return response;
      if (isEnd) continue;
      const wwwAuthenticate = response.headers.get("www-authenticate") ?? undefined;
      const challenge = { status, wwwAuthenticate, url, token, operation: operationOf(message), response, fetch };
      const failed = this.#last !== last && this.#last?.reason === reason ? this.#last : undefined;
      const shared = failed ?? (this.#running ??= { reason, outcome: markHandled(this.#authorize(challenge)) });
      if (!(await this.#wait(request, shared))) return response;
    }
  }

  /** The current token. */
  token(): ReturnType<AuthProvider["token"]> {
    return this.provider.token({ url: this.url });
  }

  /** The headers that carry a token. */
  async headers(
    token: string | undefined,
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    if (token === undefined) return {};
    const headers = await this.#call(() => this.provider.headers?.(token, request), signal);
    return checkedHeaders(headers ?? { authorization: `Bearer ${token}` });
  }

  /** Passes a response to the provider. */
  inspect(response: Response, request: AuthorizedRequest, signal: AbortSignal): Promise<void> {
    return this.#call(() => this.provider.onResponse?.(response, request), signal);
  }

  /** Waits for an authorization. Meanwhile the timeouts of the message are paused: a user may need minutes. */
  async #wait({ message = [], signal, onWait }: OutgoingRequest, { outcome }: SharedAuthorization): Promise<boolean> {
    const messages = [message].flat() as readonly { readonly id?: RequestId; readonly method?: string }[];
    const resumes = messages.map(({ id, method }) => id !== undefined && method !== undefined && this.onWait(id));
    const resume = onWait?.();
    try {
      return await raceAbort(signal, outcome);
    } finally {
      resume?.();
      for (const one of resumes) if (one) one();
    }
  }

  /** Callers that abort stop waiting; the authorization goes on for the others. @returns whether to send requests again */
  async #authorize(challenge: AuthChallenge): Promise<boolean> {
    try {
      const again = (await this.#call(() => this.provider.onUnauthorized?.(challenge))) !== false;
      if (again) this.#renewals++;
      return again;
    } finally {
      this.#last = this.#running;
      this.#running = undefined;
    }
  }

  /** Calls the provider, and waits until the request is aborted. */
  #call<Value>(call: () => Value | PromiseLike<Value>, signal?: AbortSignal): Promise<Value> {
    return raceAbort(signal, Promise.resolve().then(call)).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (isAuthorizationError(error)) throw error;
      throw new SdkError("SEND_FAILED", `the authProvider failed: ${reasonOf(error)}`, undefined, { cause: error });
    });
  }
}

/** Why a request needs another token; undefined for responses that do not ask for one. */
function rejectionReason({ status, headers }: Response): unknown {
  if (status === 401) return status;
  const challenge = headers.get("www-authenticate") ?? "";
  return status === 403 && /\berror\s*=\s*"?insufficient_scope\b/i.test(challenge) ? challenge : undefined;
}
