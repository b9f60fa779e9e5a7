import { describe, expect, test } from "vitest";
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
});
