import { expect } from "vitest";
import { AuthorizationCodeProvider } from "../../../../runtime/src/auth/providers/authorization-code-provider.js";
import type { AuthorizationCodeOptions } from "../../../../runtime/src/auth/providers/authorization-code-provider.js";
import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import type { AuthorizationInteraction } from "../../../../runtime/src/auth/grants/authorization-interaction.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { FakeNetwork } from "../fake-network.js";
import { FakeResourceServer } from "../fake-resource-server.js";
import type { FakeServerSettings } from "../fake-server-state.js";

export const redirectUri = "https://app.example.com/callback";

/** A protected MCP server, its authorization server, and providers of one user. */
export class CodeFlowFixture {
  readonly network = new FakeNetwork();
  readonly authorizationServer: FakeAuthorizationServer;
  readonly resourceServer: FakeResourceServer;
  readonly store = new MemoryCredentialStore();
  readonly reported: Error[] = [];
  /** The pages that the user has seen. */
  readonly pages: URL[] = [];
  readonly outcomes: ("success" | Error)[] = [];

  constructor(settings: Partial<FakeServerSettings> = {}) {
    this.authorizationServer = new FakeAuthorizationServer(this.network, "https://auth.example.com", settings);
    this.resourceServer = new FakeResourceServer(this.network, [this.authorizationServer]);
  }

  get url(): URL {
    return new URL(this.resourceServer.url);
  }

  /** A provider without interaction. */
  provider(options: Partial<AuthorizationCodeOptions> = {}): AuthorizationCodeProvider {
    return new AuthorizationCodeProvider({
      redirectUri,
      clientName: "Example",
      store: this.store,
      fetch: this.network.fetch,
      onerror: (error) => this.reported.push(error),
      ...options,
    });
  }

  /** A provider that shows pages to a user who logs in at once. */
  interactive(
    options: Partial<AuthorizationCodeOptions> = {},
    callback?: (url: URL) => URL,
  ): AuthorizationCodeProvider {
    return this.provider({ interaction: this.interaction(callback), ...options });
  }

  /** @param callback changes the callback before the application receives it */
  interaction(
    callback = (url: URL): URL => url,
    redirect = "http://127.0.0.1:40123/callback",
  ): AuthorizationInteraction {
    return {
      begin: () =>
        Promise.resolve({
          redirectUri: redirect,
          authorize: async (url: URL) => {
            this.pages.push(url);
            return callback(await this.authorizationServer.visit(url));
          },
          end: (outcome: "success" | Error) => void this.outcomes.push(outcome),
        }),
    };
  }

  /** Sends a request as a transport does: with the token, and once more after a challenge. */
  async call(provider: AuthorizationCodeProvider): Promise<number> {
    const { url } = this;
    for (let attempt = 0; ; attempt++) {
      const token = await provider.token({ url });
      const request = { method: "POST" as const, url, server: url };
      const headers = token === undefined ? {} : await provider.headers(token, request);
      const response = await this.resourceServer.call(headers);
      provider.onResponse(response, request);
      if (response.status !== 401 || attempt === 1) return response.status;
      await provider.onUnauthorized({
        status: 401,
        wwwAuthenticate: response.headers.get("www-authenticate") ?? undefined,
        url,
        token,
        operation: undefined,
        response,
        fetch: this.network.fetch,
      });
    }
  }
}

/** Starts a log-in, and returns the callback that the browser would open. */
export async function started(fixture: CodeFlowFixture, provider: AuthorizationCodeProvider): Promise<URL> {
  const { url } = await provider.start(fixture.url);
  return fixture.authorizationServer.visit(url);
}

/** An error with this reason, and such a message. */
export function refusal(reason: string, message = /./): unknown {
  return expect.objectContaining({ reason, message: expect.stringMatching(message) as string });
}
