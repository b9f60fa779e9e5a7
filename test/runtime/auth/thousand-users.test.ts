import { describe, expect, test } from "vitest";
import {
  MemoryCredentialStore,
  storeOfUser,
  type CredentialStore,
} from "../../../runtime/src/auth/credential-store.js";
import { AuthorizationCodeProvider } from "../../../runtime/src/auth/providers/authorization-code-provider.js";
import { AuthorizedFetch } from "../../../runtime/src/http-client/authorized-fetch.js";
import { FakeAuthorizationServer } from "./fake-authorization-server.js";
import { FakeNetwork } from "./fake-network.js";
import { FakeResourceServer } from "./fake-resource-server.js";

const userCount = 1_000;
const redirectUri = "https://app.example.com/callback";

/** A web server whose users log in to one MCP server. It has no objects of a user between two requests. */
class WebServer {
  readonly network = new FakeNetwork();
  readonly authorizationServer = new FakeAuthorizationServer(this.network);
  readonly mcp = new FakeResourceServer(this.network, [this.authorizationServer]);
  readonly url = new URL(this.mcp.url);
  readonly #shared = new MemoryCredentialStore();
  readonly keys = new Set<string>();
  /** The number of the log-in of each user, as the authorization server counts them. */
  readonly logIns = new Map<string, number>();

  constructor() {
    this.authorizationServer.addClient({ clientId: "app", clientSecret: "app-secret", redirectUris: [redirectUri] });
  }

  /** A store that also knows its keys. */
  readonly store: CredentialStore = {
    get: (key) => this.#shared.get(key),
    set: (key, value) => {
      this.keys.add(key);
      this.#shared.set(key, value);
    },
    delete: (key) => {
      this.keys.delete(key);
      this.#shared.delete(key);
    },
  };

  /** Returns a new provider, as a web server makes one per request. */
  providerOf(user: string): AuthorizationCodeProvider {
    return new AuthorizationCodeProvider({
      clientName: "A web application",
      redirectUri,
      client: { clientId: "app", clientSecret: "app-secret", issuer: this.authorizationServer.issuer },
      store: storeOfUser(this.store, user),
      fetch: this.network.fetch,
    });
  }

  /** The user agrees on the page of the authorization server. Returns the callback URL. */
  async visit(user: string, page: URL): Promise<URL> {
    const callback = await this.authorizationServer.visit(page);
    const code = this.authorizationServer.codes.get(callback.searchParams.get("code") ?? "");
    this.logIns.set(user, code?.login ?? -1);
    return callback;
  }

  /** Calls the MCP server for a user. Returns the number of the log-in whose token was sent. */
  async call(user: string): Promise<number | undefined> {
    const authProvider = this.providerOf(user);
    const sender = new AuthorizedFetch(this.url, { authProvider, fetch: this.network.fetch });
    const { signal } = new AbortController();
    const response = await sender.send({ method: "POST", headers: {}, body: JSON.stringify({ user }), signal });
    expect(response.status).toBe(200);
    const sent = this.network.seen.findLast(({ method, body }) => method === "POST" && body.includes(`"${user}"`));
    const token = sent?.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    return this.authorizationServer.accessTokens.get(token)?.login;
  }

  async expectOwnTokens(users: readonly string[]): Promise<void> {
    const used = await Promise.all(users.map((user) => this.call(user)));
    expect(used).toEqual(users.map((user) => this.logIns.get(user)));
    expect(new Set(used).size).toBe(users.length);
  }
}

const users = Array.from({ length: userCount }, (_, index) => `user ${index}`);
/** The same users in another order. */
const shuffled = users.map((_, index) => users[(index * 617) % userCount] ?? "");

describe("a web server with 1,000 users", () => {
  test("holds a log-in per user: each token serves its own user only", async () => {
    const web = new WebServer();
    const pages = new Map<string, URL>();
    await Promise.all(users.map(async (user) => pages.set(user, (await web.providerOf(user).start(web.url)).url)));
    // All log-ins are in progress at the same time, and end in another order.
    await Promise.all(
      shuffled.map(async (user) => {
        const callback = await web.visit(user, pages.get(user) ?? web.url);
        await web.providerOf(user).finish(callback);
      }),
    );
    await web.expectOwnTokens(users);
    expect(web.authorizationServer.accessTokens.size).toBe(userCount);

    web.authorizationServer.expireAccessTokens();
    await web.expectOwnTokens(shuffled);
    expect(web.authorizationServer.refreshTokens.size).toBe(userCount);

    const [leaving, staying] = [users.slice(0, userCount / 2), users.slice(userCount / 2)];
    await Promise.all(leaving.map((user) => web.providerOf(user).logout(web.url)));
    await web.expectOwnTokens(staying);
    expect(web.authorizationServer.refreshTokens.size).toBe(staying.length);
    for (const user of leaving) await expect(web.call(user)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("refuses the callback of another user, who can still finish", async () => {
    const web = new WebServer();
    const [mine, theirs] = await Promise.all(
      ["me", "them"].map(async (user) => {
        const { url } = await web.providerOf(user).start(web.url);
        return web.visit(user, url);
      }),
    );
    await expect(web.providerOf("me").finish(theirs ?? "")).rejects.toMatchObject({ reason: "state-mismatch" });
    await web.providerOf("them").finish(theirs ?? "");
    await web.providerOf("me").finish(mine ?? "");
    await web.expectOwnTokens(["me", "them"]);
  });
});
