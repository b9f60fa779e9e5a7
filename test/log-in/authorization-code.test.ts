/** Users log in to a real authorization server, whose pages are followed without a browser. */
import { AuthorizationCodeProvider, MemoryCredentialStore, type UnauthorizedError } from "@mcpwright/runtime/auth";
import { describe, expect, test } from "vitest";
import type { AuthServerOptions } from "../auth-server/auth-server.js";
import { FormUser, type UserOptions } from "../auth-server/form-user.js";
import type { ProtectedServerOptions } from "../auth-server/protected-server.js";
import { configurations, redirectUri } from "./clients.js";
import { providerFor } from "./provider-for.js";
import { call, connect, type Servers, startServers } from "./set-up.js";

async function start(
  served: ProtectedServerOptions,
  user: UserOptions = {},
  server: AuthServerOptions = {},
): Promise<Servers & { readonly provider: AuthorizationCodeProvider }> {
  const servers = await startServers({ registration: true, ...server }, served);
  return { ...servers, provider: providerFor(new FormUser(user)) };
}

describe.each(Object.entries(configurations))("%s", (_name, { server: options, client: identity, events }) => {
  test.each(["jwt", "opaque"] as const)("the user logs in once, with %s tokens", async (tokens) => {
    const { auth, server } = await startServers(options, { tokens });
    const provider = providerFor(new FormUser(), identity);
    const client = await connect(server, provider);
    expect(await call(client, "read")).toBe("read by ada");
    expect(auth.events).toEqual([...events, "page", "granted authorization_code"]);
    expect(await call(await connect(server, provider), "read")).toBe("read by ada");
    expect(auth.events).toHaveLength(events.length + 2);
  });
});

test("in a web server, the callback arrives in another request", async () => {
  const callback = "https://app.example/callback";
  const { server } = await startServers({ registration: true });
  const store = new MemoryCredentialStore();
  const create = (): AuthorizationCodeProvider =>
    new AuthorizationCodeProvider({ clientName: "App", redirectUri: callback, store });
  const error = await connect(server, create()).catch((error: unknown) => error);
  expect(error).toMatchObject({ code: "UNAUTHORIZED" });
  const { authorizationUrl = "" } = (error as UnauthorizedError).data;
  await create().finish(await new FormUser({ login: "grace" }).authorize(authorizationUrl));
  expect(await call(await connect(server, create()), "read")).toBe("read by grace");
});

test("start and finish log in before the first request", async () => {
  const { server } = await startServers({ registration: true });
  const provider = new AuthorizationCodeProvider({ clientName: "App", redirectUri });
  const { url } = await provider.start(server.url);
  await provider.finish(await new FormUser().authorize(url));
  await connect(server, provider);
  expect(server.responses).not.toContain("401 no token");
});

test("an expired token is refreshed, and the refresh token is rotated each time", async () => {
  const { auth, server, provider } = await start({ tokens: "opaque" });
  const client = await connect(server, provider);
  for (let times = 0; times < 3; times++) {
    await auth.expireAccessTokens();
    expect(await call(client, "read")).toBe("read by ada");
  }
  expect(auth.events.slice(-3)).toEqual(Array(3).fill("granted refresh_token"));
  expect(auth.events).not.toContain("refused invalid_grant");
});

test("calls that are rejected at the same time share one refresh", async () => {
  const { auth, server, provider } = await start({ tokens: "opaque" });
  const clients = [await connect(server, provider), await connect(server, provider)];
  await auth.expireAccessTokens();
  const texts = await Promise.all([...clients, ...clients].map((client) => call(client, "read")));
  expect(texts).toEqual(Array(4).fill("read by ada"));
  expect(auth.events.filter((event) => event === "granted refresh_token")).toHaveLength(1);
});

test("a call that needs another scope asks the user, and then succeeds", async () => {
  const { auth, server, provider } = await start({});
  const client = await connect(server, provider);
  expect(await call(client, "write")).toBe("write by ada");
  expect(server.responses).toContain("403 insufficient_scope");
  expect(auth.events.filter((event) => event === "page")).toHaveLength(2);
  expect(await call(client, "read")).toBe("read by ada");
});

test("a user who refuses gets a clear error", async () => {
  const { server, provider } = await start({}, { refuses: true });
  await expect(connect(server, provider)).rejects.toMatchObject({
    code: "AUTHORIZATION_FAILED",
    data: { reason: "denied", error: "access_denied" },
  });
});

test("after the log-out, the token is refused", async () => {
  const { auth, server, provider } = await start({ tokens: "opaque" });
  const client = await connect(server, provider);
  const { token } = await tokenOf(provider, server.url);
  await provider.logout(server.url);
  expect(auth.events.at(-1)).toBe("revoked");
  expect(await auth.introspect(token)).toEqual({ active: false });
  await call(client, "read");
  expect(auth.events.filter((event) => event === "page")).toHaveLength(2);
});

async function tokenOf(provider: AuthorizationCodeProvider, url: URL): Promise<{ readonly token: string }> {
  const token = await provider.token({ url });
  if (token === undefined) throw new Error("there is no token");
  return { token };
}

test("tokens are bound to a key where both servers want that, with nonces", async () => {
  const { auth, server, provider } = await start({ dpop: "nonces" }, {}, { dpopNonces: true });
  const client = await connect(server, provider);
  server.renewNonce();
  expect(await call(client, "write")).toBe("write by ada");
  expect(auth.events).toContain("refused use_dpop_nonce");
  expect(server.responses.filter((response) => response.startsWith("401")).slice(0, 2)).toEqual([
    "401 no token",
    "401 use_dpop_nonce",
  ]);
});
