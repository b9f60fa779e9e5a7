/** A client registers, its user logs in, and the tokens are valid until they are revoked. */
import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { authorize, logIn, metadataOf, nativeClient, redeem, refresh, register, requestToken } from "./log-in.js";
import { http, startProxy } from "./started-proxy.js";

const identified = (value: string): object => expect.objectContaining({ reason: value }) as object;

describe.each(["", "/auth"])("an issuer with the path %j", (path) => {
  test("a client registers, logs in, refreshes and revokes", async () => {
    const started = await startProxy({ path });
    const { proxy, issuer, resource } = started;
    const client = await register(issuer);
    const code = await authorize(started, client);
    expect(code.callback.searchParams.get("iss")).toBe(issuer);
    const { status, body, headers } = await redeem(issuer, code);
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
        token_type: "Bearer",
        expires_in: 600,
        scope: "files:read",
        refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      },
    ]);
    expect(headers.get("cache-control")).toBe("no-store");
    const facts = await proxy.verifier.verifyAccessToken(String(body["access_token"]), { resource });
    expect(facts).toMatchObject({
      issuer,
      subject: "ada",
      clientId: client.client_id,
      scopes: ["files:read"],
      audience: [resource],
    });
    expect(facts.expiresAt).toBeGreaterThan(Date.now() / 1_000 + 590);
    expect(await proxy.upstreamTokens(facts)).toMatchObject({ accessToken: "upstream of ada" });
    const second = await refresh(issuer, { client, access_token: "", refresh_token: String(body["refresh_token"]) });
    expect(second.status).toBe(200);
    expect(second.body["refresh_token"]).not.toBe(body["refresh_token"]);
    await proxy.verifier.verifyAccessToken(String(second.body["access_token"]), { resource });
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(
        await metadataOf(issuer),
        client,
        oauth.None(),
        String(second.body["refresh_token"]),
        http,
      ),
    );
    for (const token of [body, second.body])
      await expect(proxy.verifier.verifyAccessToken(String(token["access_token"]), { resource })).rejects.toEqual(
        identified("inactive"),
      );
    expect(started.errors).toEqual([]);
  });

  test("the metadata are at all forms of the well-known URL", async () => {
    const { issuer } = await startProxy({ path });
    const { origin } = new URL(issuer);
    for (const name of ["oauth-authorization-server", "openid-configuration"])
      for (const url of [`${origin}/.well-known/${name}${path}`, `${issuer}/.well-known/${name}`]) {
        const response = await fetch(url);
        expect([url, response.status, response.headers.get("access-control-allow-origin")]).toEqual([url, 200, "*"]);
        expect(await response.json()).toMatchObject({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          registration_endpoint: `${issuer}/register`,
          revocation_endpoint: `${issuer}/revoke`,
          code_challenge_methods_supported: ["S256"],
          client_id_metadata_document_supported: true,
          authorization_response_iss_parameter_supported: true,
          scopes_supported: ["files:read", "files:write"],
        });
      }
  });
});

test("a confidential client authenticates with its secret", async () => {
  const started = await startProxy();
  const client = await register(started.issuer, { ...nativeClient, token_endpoint_auth_method: "client_secret_post" });
  const code = await authorize(started, client);
  expect(await redeem(started.issuer, code)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  expect(await redeem(started.issuer, code, { client_secret: "wrong" })).toMatchObject({ status: 401 });
  expect(await redeem(started.issuer, code, { client_secret: client["client_secret"] as string })).toMatchObject({
    status: 200,
  });
});

test("a client that is known in advance logs in, with any port of its loopback redirect", async () => {
  const known = { clientId: "desk", clientName: "Desk", redirectUris: ["http://127.0.0.1/callback"] };
  const started = await startProxy({ clients: [known], registration: false, metadataDocuments: false });
  expect(await metadataOf(started.issuer)).not.toHaveProperty("registration_endpoint");
  expect((await fetch(`${started.issuer}/register`, { method: "POST" })).status).toBe(404);
  await logIn(started, { client_id: "desk" });
  expect(started.seen).toEqual([
    expect.objectContaining({ clientId: "desk", clientName: "Desk", clientKind: "known" }),
  ]);
});

test("a user refuses", async () => {
  const started = await startProxy({ decide: () => "refuse" });
  const client = await register(started.issuer);
  const refused = authorize(started, client);
  await expect(refused).rejects.toMatchObject({ error: "access_denied" });
  await refused.catch((error: unknown) => {
    const { cause } = error as { readonly cause: URLSearchParams };
    expect(Object.fromEntries(cause)).toEqual({
      error: "access_denied",
      error_description: "the user refused",
      state: "state of the client",
      iss: started.issuer,
    });
  });
});

test("without scope and resource, a client gets all scopes of the one resource", async () => {
  const started = await startProxy();
  const client = await register(started.issuer);
  const code = await authorize(started, client, { scope: undefined, resource: undefined });
  const { body } = await redeem(started.issuer, code);
  expect(body["scope"]).toBe("files:read files:write");
  expect(
    await started.proxy.verifier.verifyAccessToken(String(body["access_token"]), { resource: started.resource }),
  ).toMatchObject({
    audience: [started.resource],
  });
});

test("a server that names no scopes has one", async () => {
  const started = await startProxy({ scopes: undefined });
  const code = await authorize(started, await register(started.issuer), { scope: undefined });
  expect(await redeem(started.issuer, code)).toMatchObject({ status: 200, body: { scope: "mcp" } });
});

test("each log-in asks the user anew, also in the same browser", async () => {
  const started = await startProxy();
  const client = await register(started.issuer);
  await authorize(started, client);
  await authorize(started, client);
  expect(started.seen).toHaveLength(2);
});

test("an unknown grant type is refused", async () => {
  const { issuer } = await startProxy();
  const { client_id } = await register(issuer);
  expect(await requestToken(issuer, { grant_type: "password", client_id })).toMatchObject({
    status: 400,
    body: { error: "unsupported_grant_type" },
  });
});
