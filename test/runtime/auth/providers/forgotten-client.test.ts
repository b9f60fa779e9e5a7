import { afterEach, describe, expect, test, vi } from "vitest";
import { json } from "../fake-network.js";
import { CodeFlowFixture, redirectUri, refusal, started } from "./code-flow-fixture.js";

afterEach(() => vi.useRealTimers());

describe("an authorization server that has lost the client", () => {
  test("and says so at the token endpoint: registers and logs in once more", async () => {
    const fixture = new CodeFlowFixture();
    fixture.network.fail({ at: "/token", times: 1, respond: () => json({ error: "invalid_client" }, 401) });
    const provider = fixture.interactive();
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.network.requests("/register")).toHaveLength(2);
    expect(fixture.pages).toHaveLength(2);
  });

  test("and says so at the callback: registers and logs in once more, not forever", async () => {
    const fixture = new CodeFlowFixture();
    let answers = 1;
    const provider = fixture.interactive({}, (url) => {
      if (answers-- <= 0) return url;
      url.searchParams.delete("code");
      url.searchParams.set("error", "unauthorized_client");
      return url;
    });
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.network.requests("/register")).toHaveLength(2);
    answers = 10;
    fixture.authorizationServer.endLogins();
    await expect(fixture.call(provider)).rejects.toEqual(refusal("denied"));
    expect(fixture.pages).toHaveLength(4);
  });

  test("and says so to finish: the next log-in registers again", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    const callback = await started(fixture, provider);
    fixture.authorizationServer.clients.clear();
    await expect(provider.finish(callback)).rejects.toEqual(refusal("token-refused"));
    await provider.finish(await started(fixture, provider));
    expect(await fixture.call(provider)).toBe(200);
  });

  test("and shows the user an error page: a later log-in registers again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    await provider.finish(await started(fixture, provider));
    fixture.authorizationServer.clients.clear();
    await expect(started(fixture, provider)).rejects.toThrow("unknown client");
    vi.setSystemTime(Date.now() + 61_000);
    await provider.finish(await started(fixture, provider));
    expect(await fixture.call(provider)).toBe(200);
  });

  test("is not asked to register a client that was given", async () => {
    const fixture = new CodeFlowFixture({ registration: false });
    fixture.authorizationServer.addClient({
      clientId: "by-hand",
      clientSecret: "the-secret",
      redirectUris: [redirectUri],
    });
    const provider = fixture.provider({ client: { clientId: "by-hand", clientSecret: "wrong-secret" } });
    const error: unknown = await provider.finish(await started(fixture, provider)).catch((reason: unknown) => reason);
    expect(error).toEqual(refusal("token-refused", /invalid_client/));
    expect(JSON.stringify(error)).not.toContain("wrong-secret");
    const right = fixture.provider({ client: { clientId: "by-hand", clientSecret: "the-secret" } });
    await right.finish(await started(fixture, right));
    expect(await fixture.call(right)).toBe(200);
  });

  test("keeps the log-ins of other clients of the application: tokens are refreshed by the client that has them", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    await provider.finish(await started(fixture, provider));
    const other = fixture.provider({ redirectUri: `${redirectUri}2` });
    const { url } = await other.start("https://mcp.example.com/mcp");
    expect(fixture.network.requests("/register")).toHaveLength(2);
    expect(url.searchParams.get("redirect_uri")).toBe(`${redirectUri}2`);
    fixture.authorizationServer.expireAccessTokens();
    expect(await fixture.call(fixture.provider())).toBe(200);
    expect(fixture.network.requests("/token").map(({ form }) => form.get("grant_type"))).toEqual([
      "authorization_code",
      "refresh_token",
    ]);
  });
});
