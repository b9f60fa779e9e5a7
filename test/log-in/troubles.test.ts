/** What real servers do to a client that has logged in: they forget, expire, move and go down. */
import { AuthorizationCodeProvider, MemoryCredentialStore, storeOfUser } from "@mcpwright/runtime/auth";
import { InteractiveProvider } from "@mcpwright/runtime/auth/node";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AuthServer, startAuthServer } from "../auth-server/auth-server.js";
import { FormUser } from "../auth-server/form-user.js";
import { type ProtectedServer, startProtectedServer } from "../auth-server/protected-server.js";
import { redirectUri } from "./clients.js";
import { providerFor } from "./provider-for.js";
import { call, connect, startServers } from "./set-up.js";

function pagesAsked({ events }: AuthServer): number {
  return events.filter((event) => event === "page").length;
}

test("without a valid refresh token, the user logs in again, once for all calls", async () => {
  const { auth, server } = await startServers({ registration: true }, { tokens: "opaque" });
  const client = await connect(server, providerFor(new FormUser()));
  await auth.expireAccessTokens();
  await auth.expireRefreshTokens();
  await expect(Promise.all([call(client, "read"), call(client, "read")])).resolves.toEqual([
    "read by ada",
    "read by ada",
  ]);
  expect(auth.events.slice(3)).toEqual(["refused invalid_grant", "page", "granted authorization_code"]);
});

test("a client that the authorization server has forgotten registers again", async () => {
  const { auth, server } = await startServers({ registration: true }, { tokens: "opaque" });
  const client = await connect(server, providerFor(new FormUser()));
  await auth.expireAccessTokens();
  await auth.forgetClients();
  expect(await call(client, "read")).toBe("read by ada");
  expect(auth.events.slice(3)).toEqual(["refused invalid_client", "register", "page", "granted authorization_code"]);
});

test("a token that has expired is refreshed before it is sent", async () => {
  const { auth, server } = await startServers({ registration: true, accessTokenSeconds: 2 });
  const client = await connect(server, providerFor(new FormUser()));
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await call(client, "read")).toBe("read by ada");
  expect(auth.events).toContain("granted refresh_token");
});

describe("an authorization server that is down", () => {
  async function logInThenClose(): Promise<{ client: Client; server: ProtectedServer; keepsTokens: () => boolean }> {
    const { auth, server } = await startServers({ registration: true }, { tokens: "opaque" });
    const values = new Map<string, string>();
    const store = {
      get: (key: string) => values.get(key),
      set: (key: string, value: string) => void values.set(key, value),
      delete: (key: string) => void values.delete(key),
    };
    // A server that refuses for a time is not asked again, which would take 25 seconds.
    const client = await connect(server, providerFor(new FormUser(), { store }), { maxRetryWaitMs: 0 });
    const before = [...values.values()].find((value) => value.includes("refreshToken"));
    expect(before).toBeDefined();
    await auth.close();
    return { client, server, keepsTokens: () => [...values.values()].includes(before ?? "") };
  }

  test("fails the call with a reason, and the tokens are kept", async () => {
    const { client, server, keepsTokens } = await logInThenClose();
    server.rejectTokens();
    await expect(call(client, "read")).rejects.toMatchObject({
      code: "AUTHORIZATION_FAILED",
      data: { reason: "unreachable" },
    });
    expect(keepsTokens()).toBe(true);
  });

  test("and therefore cannot verify a token fails the call, and the token is kept", async () => {
    const { client, server, keepsTokens } = await logInThenClose();
    await expect(call(client, "read")).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 503 } });
    expect(keepsTokens()).toBe(true);
    expect(server.responses).toContain("503");
    expect(server.responses.some((text) => text.includes("/token/introspection cannot be reached"))).toBe(true);
  });
});

test("a user who was late, and one who refused, can try again", async () => {
  const { auth, server } = await startServers({ registration: true });
  const users = [new FormUser({ refuses: true }), new FormUser()];
  const openUrl = (url: URL): boolean => {
    void users.shift()?.visit(url);
    return true;
  };
  const options = { clientName: "Desk", print: () => undefined, store: new MemoryCredentialStore() };
  const late = new InteractiveProvider({ ...options, openUrl: () => true, loginTimeoutMs: 200 });
  await expect(connect(server, late)).rejects.toMatchObject({ data: { reason: "abandoned" } });
  const provider = new InteractiveProvider({ ...options, openUrl });
  await expect(connect(server, provider)).rejects.toMatchObject({ data: { reason: "denied" } });
  expect(await call(await connect(server, provider), "read")).toBe("read by ada");
  expect(auth.events.at(-1)).toBe("granted authorization_code");
});

test("a server that moves to another authorization server gets a new log-in there", async () => {
  const { auth, server } = await startServers({ registration: true }, { tokens: "opaque" });
  const user = new FormUser();
  const client = await connect(server, providerFor(user));
  const other = await startAuthServer({ registration: true });
  onTestFinished(() => other.close());
  server.trust(other);
  expect(await call(client, "read")).toBe("read by ada");
  expect(other.events).toEqual(["register", "page", "granted authorization_code"]);
  expect(auth.events).toHaveLength(3);
});

test("one provider logs in to two servers, with a token for each", async () => {
  const { auth, server } = await startServers({ registration: true });
  const second = await startProtectedServer(auth);
  onTestFinished(() => second.close());
  const provider = providerFor(new FormUser());
  const clients = [await connect(server, provider), await connect(second, provider)] as const;
  expect(await Promise.all(clients.map((client) => call(client, "read")))).toEqual(["read by ada", "read by ada"]);
  expect(await provider.token({ url: server.url })).not.toBe(await provider.token({ url: second.url }));
  expect(auth.events.filter((event) => event === "register")).toHaveLength(1);
});

test("a scope that is never granted ends in an error, after two attempts", async () => {
  const { auth, server } = await startServers({ registration: true }, { grantable: ["files:read"] });
  const client = await connect(server, providerFor(new FormUser()));
  await expect(call(client, "write")).rejects.toMatchObject({
    code: "INSUFFICIENT_SCOPE",
    data: { required: expect.arrayContaining(["files:write"]) as unknown, granted: ["files:read"] },
  });
  expect(pagesAsked(auth)).toBeLessThanOrEqual(3);
  expect(await call(client, "read")).toBe("read by ada");
});

test("a callback of another user, or one that was used, finishes nothing", async () => {
  const { server } = await startServers({ registration: true });
  const store = new MemoryCredentialStore();
  const [ada, eve] = ["ada", "eve"].map(
    (name) => new AuthorizationCodeProvider({ clientName: "App", redirectUri, store: storeOfUser(store, name) }),
  );
  if (!ada || !eve) throw new Error("there are two");
  await ada.start(server.url);
  const { url } = await eve.start(server.url);
  const callback = await new FormUser({ login: "eve" }).authorize(url);
  const mismatch = { code: "AUTHORIZATION_FAILED", data: { reason: "state-mismatch" } };
  await expect(ada.finish(callback)).rejects.toMatchObject(mismatch);
  await eve.finish(callback);
  await expect(eve.finish(callback)).rejects.toMatchObject(mismatch);
  expect(await call(await connect(server, eve), "read")).toBe("read by eve");
});

test("a session of the handshake era goes on with new tokens, and ends with one", async () => {
  const { auth, server } = await startServers({ registration: true }, { tokens: "opaque" });
  const client = new Client({ name: "desk", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(server.url, { authProvider: providerFor(new FormUser()) });
  await client.connect(transport, { era: "handshake" });
  await auth.expireAccessTokens();
  expect(await call(client, "write")).toBe("write by ada");
  await auth.expireAccessTokens();
  await client.close();
  expect(server.responses.filter((response) => response === "401 invalid_token").length).toBeGreaterThan(0);
});
