import { describe, expect, test } from "vitest";
import { type CredentialStore, OAuthProvider } from "../../../../runtime/src/auth.js";
import { FakeResourceServer } from "../fake-resource-server.js";
import { createWorld, mcpUrl, tokenRequests } from "../session/world.js";

describe("OAuthProvider", () => {
  test("logs in when the server rejects a request, and sends it again", async () => {
    const { call, provider, network } = createWorld();
    expect(await provider.token({ url: mcpUrl })).toBeUndefined();
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(200);
    expect(tokenRequests(network, "authorization_code")).toHaveLength(1);
    expect(tokenRequests(network, "authorization_code")[0]?.get("resource")).toBe(mcpUrl.href);
  });

  test("refreshes rejected tokens instead of a new log-in, with rotation", async () => {
    const { call, server, network, grant } = createWorld();
    await call();
    server.expireAccessTokens();
    expect((await call()).status).toBe(200);
    server.expireAccessTokens();
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(1);
    const used = tokenRequests(network, "refresh_token").map((form) => form.get("refresh_token"));
    expect(new Set(used).size).toBe(2);
  });

  test("logs in again when the refresh token is refused", async () => {
    const { call, server, grant } = createWorld();
    await call();
    server.endLogins();
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(2);
  });

  test("logs in once for requests that are rejected at the same time", async () => {
    const { call, grant } = createWorld();
    const responses = await Promise.all([call(), call(), call()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(grant.logins).toHaveLength(1);
  });

  test("gives each MCP server its own token, and no other server any", async () => {
    const { call, provider, network, server } = createWorld();
    const url = new URL("https://other.example.com/mcp");
    const other = new FakeResourceServer(network, [server], url.href);
    await call();
    await call({ url });
    const [first, second] = await Promise.all([mcpUrl, url].map((one) => provider.token({ url: one })));
    expect(first).not.toBe(second);
    const sent = network.seen.filter(({ headers }) => headers.get("authorization") === `Bearer ${first ?? ""}`);
    expect(new Set(sent.map(({ url: { origin } }) => origin))).toEqual(new Set([mcpUrl.origin]));
    expect(await provider.headers(first ?? "", { method: "POST", url: new URL(other.url), server: mcpUrl })).toEqual(
      {},
    );
    expect(await provider.token({ url: new URL("https://mcp.example.com/another") })).toBeUndefined();
  });

  test("ignores the fragment of the URL", async () => {
    const { call, provider } = createWorld();
    await call();
    expect(await provider.token({ url: new URL(`${mcpUrl.href}#part`) })).toBe(await provider.token({ url: mcpUrl }));
  });

  test("still knows the scheme of a token that was replaced while its request was prepared", async () => {
    const { call, provider, server, mcp } = createWorld();
    server.settings.dpop = "offered";
    mcp.settings.dpop = "accepted";
    await call();
    const before = (await provider.token({ url: mcpUrl })) ?? "";
    server.expireAccessTokens();
    await call();
    const headers = await provider.headers(before, { method: "POST", url: mcpUrl, server: mcpUrl });
    expect(headers).toMatchObject({ authorization: `DPoP ${before}`, dpop: expect.any(String) as string });
  });

  test.each(["timeoutMs", "loginTimeoutMs", "maxDocumentBytes"])("rejects a negative %s", (name) => {
    const { grant } = createWorld();
    for (const value of [-1, NaN]) expect(() => new OAuthProvider(grant, { [name]: value })).toThrow(name);
  });

  test("rejects stores without methods, and questions without a URL", async () => {
    const { grant, provider } = createWorld();
    for (const store of [{}, null, "memory"] as unknown as CredentialStore[])
      expect(() => new OAuthProvider(grant, { store })).toThrow(/store must be a CredentialStore/);
    await expect(provider.token()).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    await expect(provider.token({ url: new URL("ftp://mcp.example.com") })).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
  });

  test("explains servers that require another kind of authorization", async () => {
    const { call, mcp, grant } = createWorld({ defaultEndpoints: false });
    mcp.settings.metadataAt = "none";
    await expect(call()).rejects.toMatchObject({ code: "AUTHORIZATION_FAILED", reason: "metadata-not-found" });
    expect(grant.logins).toEqual([]);
  });
});
