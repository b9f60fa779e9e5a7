import {
  AuthorizationCodeProvider,
  AuthorizationError,
  type CredentialStore,
  MemoryCredentialStore,
  type StartedLogin,
  storeOfUser,
} from "../../auth.js";
import type { AuthorizationRefusal } from "../../auth-server.js";
import type { FetchLike } from "../../http-client/fetch-like.js";
import type { Authenticated, HttpRequest } from "../../http-server/host-adapter.js";
import { principalKey } from "../../http-server/principal-key.js";
import type { ClientOptions } from "./client-options.js";
import type { GatewayAuthorization } from "./user-log-in-options.js";

export interface OpenerLogInOptions {
  readonly authorization: GatewayAuthorization;
  readonly store: CredentialStore;
  readonly redirectUri: string;
  readonly client: ClientOptions;
  readonly fetch: FetchLike;
  readonly onerror: (error: Error) => void;
}

/**
 * Identifies the user of a browser (MCP 2025-11-25, elicitation: phishing): the user logs in at the authorization server of the gateway, which
 * issues a token for the gateway, as for any client. The gateway verifies it like those of its clients, and does not keep it.
 */
export class OpenerLogIn {
  readonly #resource: URL;

  constructor(readonly options: OpenerLogInOptions) {
    this.#resource = new URL(options.authorization.resource);
  }

  /** @param user the one that the link is for @throws AuthorizationError */
  start(user: string): Promise<StartedLogin> {
    return this.#provider(user, this.#storeOf(user)).start(this.#resource);
  }

  /**
   * @param user the one that the link is for
   * @returns the one that has logged in
   * @throws AuthorizationError
   */
  async finish(user: string, callback: URL): Promise<string> {
    const provider = this.#provider(user, withoutTokens(this.#storeOf(user)));
    await provider.finish(callback);
    try {
      return await this.#userOf(provider);
    } finally {
      // The token has served its purpose.
      provider.logout(this.#resource).catch((error: unknown) => this.options.onerror(error as Error));
    }
  }

  async #userOf(provider: AuthorizationCodeProvider): Promise<string> {
    const { authorization } = this.options;
    const url = this.#resource;
    const request = { method: "POST", url, server: url } as const;
    const token = (await provider.token({ url })) ?? "";
    let answer = await authorization.authenticate(requestWith(await provider.headers(token, request), url));
    if (isNonceDemand(answer)) {
      provider.onResponse(new Response(null, { status: answer.status, headers: { ...answer.headers } }), request);
      answer = await authorization.authenticate(requestWith(await provider.headers(token, request), url));
    }
    const user = "principal" in answer ? principalKey(answer.principal) : undefined;
    if (user !== undefined) return user;
    const why = "message" in answer ? answer.message : "it names no user";
    throw new AuthorizationError(
      "token-rejected",
      `The gateway does not accept the token that it got for the log-in: ${why}`,
    );
  }

  #provider(user: string, store: CredentialStore): AuthorizationCodeProvider {
    const [issuer = ""] = JSON.parse(user) as readonly string[];
    const { redirectUri, client, onerror } = this.options;
    // The redirect URI differs from that at servers, so that the registration is another one.
    const registrationStore = storeOfUser(this.options.store, "registration for the log-in at the gateway");
    return new AuthorizationCodeProvider({
      ...client,
      redirectUri,
      store,
      registrationStore,
      // The gateway may accept tokens of several, of which the user has an account at one.
      selectIssuer: (issuers) => (issuers.includes(issuer) ? issuer : issuers[0]),
      fetch: this.#fetch,
      onerror,
    });
  }

  #storeOf(user: string): CredentialStore {
    return storeOfUser(this.options.store, JSON.stringify([user]));
  }

  /** The gateway need not reach itself. */
  readonly #fetch: FetchLike = (url, init) => {
    const { authorization, fetch } = this.options;
    if (url.href !== authorization.resourceMetadataUrl) return fetch(url, init);
    const { status, headers, body } = authorization.publicDocument(url.pathname);
    return Promise.resolve(new Response(body ?? null, { status, headers: { ...headers } }));
  };
}

/** Reads log-ins in progress from a store, and writes nothing to it. */
function withoutTokens(store: CredentialStore): CredentialStore {
  const own = new MemoryCredentialStore();
  const withLock = store.withLock?.bind(store);
  return {
    get: (key) => own.get(key) ?? store.get(key),
    // The end of a log-in in progress is for all nodes.
    set: (key, value) => (key.startsWith("flow ") ? store.set(key, value) : own.set(key, value)),
    delete: (key) => (key.startsWith("flow ") ? store.delete(key) : own.delete(key)),
    ...(withLock && { withLock }),
  };
}

function requestWith(headers: Readonly<Record<string, string>>, { pathname, search, host }: URL): HttpRequest {
  const sent: Readonly<Record<string, string>> = { ...headers, host };
  return { method: "POST", url: `${pathname}${search}`, principal: undefined, header: (name) => sent[name] };
}

function isNonceDemand(answer: Authenticated | AuthorizationRefusal): answer is AuthorizationRefusal {
  return "status" in answer && Object.keys(answer.headers).some((name) => name.toLowerCase() === "dpop-nonce");
}
