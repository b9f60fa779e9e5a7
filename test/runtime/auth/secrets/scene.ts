import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import type { AuthorizationInteraction } from "../../../../runtime/src/auth/grants/authorization-interaction.js";
import type { OAuthOptions } from "../../../../runtime/src/auth/oauth-options.js";
import type { AuthProvider } from "../../../../runtime/src/http-client/auth-provider.js";
import { AuthorizedFetch } from "../../../../runtime/src/http-client/authorized-fetch.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { FakeNetwork, type SeenRequest } from "../fake-network.js";
import { FakeResourceServer } from "../fake-resource-server.js";
import { CapturedOutput } from "./captured-output.js";
import { SecretLedger } from "./secret-ledger.js";

/** Replaces the response to a request. */
export type Sabotage = (request: SeenRequest, real: Response) => Response | Promise<Response>;

/** A protected MCP server with its authorization server, in which every secret is known and every output is kept. */
export class Scene {
  readonly network = new FakeNetwork();
  readonly authorizationServer = new FakeAuthorizationServer(this.network);
  readonly mcp = new FakeResourceServer(this.network, [this.authorizationServer]);
  readonly ledger = new SecretLedger();
  readonly output = new CapturedOutput();
  readonly url = new URL(this.mcp.url);
  /** The number of requests so far. */
  requests = 0;
  /** The options of all providers. */
  readonly options: OAuthOptions & Required<Pick<OAuthOptions, "store" | "fetch">>;

  /**
   * @param at the number of the request whose response is replaced; the first one has the number 0
   */
  constructor(
    readonly at = -1,
    readonly sabotage: Sabotage = (_request, real) => real,
  ) {
    const fetch = this.ledger.watchFetch(async (url, init) => {
      const number = this.requests++;
      const real = await this.network.fetch(url, init);
      const request = this.network.seen.at(-1);
      return number === this.at && request ? this.sabotage(request, real) : real;
    });
    this.options = {
      store: this.ledger.watchStore(new MemoryCredentialStore()),
      fetch,
      timeoutMs: 5_000,
      onerror: (error) => this.output.addError(error),
    };
  }

  /** A browser whose user agrees at once. */
  browser(redirectUri = "http://127.0.0.1:4000/callback"): AuthorizationInteraction {
    return {
      begin: () =>
        Promise.resolve({
          redirectUri,
          authorize: (page) => this.visit(page),
          end: (outcome) => {
            if (outcome !== "success") this.output.addError(outcome);
          },
        }),
    };
  }

  /** Visits the authorization page. @returns the callback */
  async visit(page: URL): Promise<URL> {
    const response = await this.options.fetch(page, { redirect: "manual" });
    return new URL(response.headers.get("location") ?? "http://127.0.0.1:4000/callback?error=server_error");
  }

  /** Does something that may fail, and keeps the error. */
  async attempt(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.output.addError(error);
    }
  }

  /** Calls the MCP server; keeps the error with which it fails. */
  async call(authProvider: AuthProvider): Promise<void> {
    const sender = new AuthorizedFetch(this.url, { authProvider, fetch: this.options.fetch });
    const { signal } = new AbortController();
    await this.attempt(async () => {
      const request = { method: "POST", headers: {}, body: "{}", signal } as const;
      const response = await sender.send(request);
      if (!response.ok) await sender.throwHttpError(request, response);
    });
  }
}
