import { describe, expect, test } from "vitest";
import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { FakeResourceServer } from "../fake-resource-server.js";
import { CodeFlowFixture, redirectUri, refusal, started } from "./code-flow-fixture.js";

describe("an attack", () => {
  test("a code of another log-in is refused by PKCE, and its tokens are not used", async () => {
    const fixture = new CodeFlowFixture();
    const victim = fixture.provider();
    const attacker = fixture.provider({ store: new MemoryCredentialStore(), client: { clientId: "app" } });
    fixture.authorizationServer.addClient({ clientId: "app", redirectUris: [redirectUri] });
    const same = fixture.provider({ client: { clientId: "app" } });
    const stolen = await started(fixture, attacker);
    const own = await started(fixture, same);
    own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    const error: unknown = await same.finish(own).catch((reason: unknown) => reason);
    expect(error).toEqual(refusal("token-refused"));
    expect(JSON.stringify(error) + (error as Error).message).not.toContain(stolen.searchParams.get("code"));
    expect(await victim.token({ url: fixture.url })).toBeUndefined();
  });

  /** An honest and an evil server, and one user of both. */
  function twoServers(issParameter: boolean): {
    readonly fixture: CodeFlowFixture;
    readonly evil: FakeAuthorizationServer;
    readonly evilUrl: string;
  } {
    const fixture = new CodeFlowFixture({ issParameter });
    const evil = new FakeAuthorizationServer(fixture.network, "https://evil.example");
    const { url: evilUrl } = new FakeResourceServer(fixture.network, [evil], "https://mcp.evil.example/mcp");
    return { fixture, evil, evilUrl };
  }

  test("a response of another authorization server is refused, and its code is not sent (mix-up)", async () => {
    const { fixture, evil, evilUrl } = twoServers(true);
    const provider = fixture.provider();
    const atEvil = await provider.start(evilUrl);
    // The evil server sends the user on to the honest one, with the state of its own log-in.
    const atHonest = await provider.start(fixture.url);
    const honest = new URL(atHonest.url);
    honest.searchParams.set("state", atEvil.state);
    const mixed = await fixture.authorizationServer.visit(honest);
    await expect(provider.finish(mixed)).rejects.toEqual(refusal("issuer-mismatch"));
    expect(fixture.network.requests("/token")).toHaveLength(0);
    expect(evil.accessTokens.size).toBe(0);
    // The honest log-in can still be finished.
    await provider.finish(await fixture.authorizationServer.visit(atHonest.url));
  });

  test("codes and states of two log-ins at the same server cannot be swapped", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    const [first, second] = [await started(fixture, provider), await started(fixture, provider)];
    const swapped = new URL(first);
    swapped.searchParams.set("code", second.searchParams.get("code") ?? "");
    await expect(provider.finish(swapped)).rejects.toEqual(refusal("token-refused"));
  });

  test("registrations are per issuer: another one never sees the client of the first", async () => {
    const { fixture, evil, evilUrl } = twoServers(true);
    const provider = fixture.provider();
    await provider.finish(await started(fixture, provider));
    const { url } = await provider.start(evilUrl);
    const ids = [...fixture.authorizationServer.clients.keys()];
    expect(ids).toHaveLength(1);
    expect(ids).not.toContain(url.searchParams.get("client_id"));
    expect(evil.clients.has(url.searchParams.get("client_id") ?? "")).toBe(true);
  });

  test("no page is shown and nothing is registered without PKCE", async () => {
    const fixture = new CodeFlowFixture({ metadata: { code_challenge_methods_supported: undefined } });
    await expect(fixture.call(fixture.interactive())).rejects.toEqual(refusal("pkce-unsupported"));
    await expect(fixture.provider().start(fixture.url)).rejects.toEqual(refusal("pkce-unsupported"));
    expect(fixture.pages).toHaveLength(0);
    expect(fixture.network.requests("/register")).toHaveLength(0);
  });

  test("a page with another scheme is never shown", async () => {
    for (const endpoint of ["javascript:alert(1)", "file:///bin/sh", "http://auth.example.com/authorize"]) {
      const fixture = new CodeFlowFixture({ metadata: { authorization_endpoint: endpoint } });
      await expect(fixture.call(fixture.interactive())).rejects.toEqual(refusal("insecure-url"));
      expect(fixture.pages).toHaveLength(0);
    }
  });
});
