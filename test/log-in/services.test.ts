/** Services get tokens of a real authorization server without a user. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  PrivateKeyJwtProvider,
  StaticPrivateKeyJwtProvider,
  WorkloadIdentityProvider,
} from "@mcpwright/runtime/auth";
import { assertionFromFile } from "@mcpwright/runtime/auth/node";
import { exportJWK, exportPKCS8, generateKeyPair, type JWK, SignJWT } from "jose";
import type { ClientMetadata } from "oidc-provider";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startAuthServer } from "../auth-server/auth-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { call, connect, startServers } from "./set-up.js";

let privateJwk: JWK;
let pem: string;
let clients: ClientMetadata[];

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  privateJwk = { ...(await exportJWK(privateKey)), kid: "one", alg: "ES256" };
  pem = await exportPKCS8(privateKey);
  const publicJwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" };
  const service = {
    grant_types: ["client_credentials"],
    response_types: [],
    redirect_uris: [],
  } satisfies Partial<ClientMetadata>;
  clients = [
    { ...service, client_id: "basic", client_secret: "a secret: with/any+characters%" },
    { ...service, client_id: "post", client_secret: "post-secret", token_endpoint_auth_method: "client_secret_post" },
    {
      ...service,
      client_id: "key",
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [publicJwk] },
    },
  ];
});

describe.each([
  ["basic", () => new ClientCredentialsProvider({ clientId: "basic", clientSecret: "a secret: with/any+characters%" })],
  [
    "post",
    () =>
      new ClientCredentialsProvider({
        clientId: "post",
        clientSecret: () => Promise.resolve("post-secret"),
        tokenEndpointAuthMethod: "client_secret_post",
      }),
  ],
  ["key", () => new PrivateKeyJwtProvider({ clientId: "key", privateKey: privateJwk })],
  ["key", () => new PrivateKeyJwtProvider({ clientId: "key", privateKey: pem, algorithm: "ES256" })],
] as const)("%s", (clientId, create) => {
  test.each([{ tokens: "jwt" }, { tokens: "opaque" }, { tokens: "jwt", dpop: "nonces" }] as const)(
    "calls with %o",
    async (served) => {
      const { auth, server } = await startServers({ clients, dpopNonces: served.dpop === "nonces" }, served);
      const client = await connect(server, create());
      expect(await call(client, "read")).toBe(`read by ${clientId}`);
      expect(await call(client, "write")).toBe(`write by ${clientId}`);
      await auth.expireAccessTokens();
      expect(await call(client, "read")).toBe(`read by ${clientId}`);
      expect(auth.events).not.toContain("page");
    },
  );
});

test("an assertion that was signed elsewhere is accepted", async () => {
  const { auth, server } = await startServers({ clients });
  const jwtBearerAssertion = (): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer("key")
      .setSubject("key")
      .setAudience(auth.issuer)
      .setIssuedAt()
      .setExpirationTime("1m")
      .setJti(crypto.randomUUID())
      .sign(privateJwk);
  const provider = new StaticPrivateKeyJwtProvider({ clientId: "key", jwtBearerAssertion });
  expect(await call(await connect(server, provider), "read")).toBe("read by key");
});

test("a wrong secret gets a clear error that does not show it", async () => {
  const { server } = await startServers({ clients });
  const failure = connect(server, new ClientCredentialsProvider({ clientId: "basic", clientSecret: "guessed-secret" }));
  await expect(failure).rejects.toMatchObject({
    code: "AUTHORIZATION_FAILED",
    data: { reason: "token-refused", error: "invalid_client" },
  });
  await expect(failure).rejects.not.toThrow(/guessed-secret/);
});

test("the log-out revokes the token", async () => {
  const { auth, server } = await startServers({ clients }, { tokens: "opaque" });
  const provider = new ClientCredentialsProvider({ clientId: "post", clientSecret: "post-secret" });
  await connect(server, provider);
  const token = await provider.token({ url: server.url });
  await provider.logout(server.url);
  expect(await auth.introspect(token ?? "")).toEqual({ active: false });
});

test("a workload is known by the token of its platform, which is read anew each time", async () => {
  const platform = await startAuthServer();
  onTestFinished(() => platform.close());
  const workload = {
    client_id: "pod",
    token_endpoint_auth_method: "none",
    grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"],
    response_types: [],
    redirect_uris: [],
  } as const satisfies ClientMetadata;
  const { auth, server } = await startServers(
    { clients: [workload], trustedIssuers: [platform.issuer] },
    { tokens: "opaque" },
  );
  const file = join(temporaryFolder("workload"), "token");
  const renew = async (sub: string): Promise<void> =>
    writeFileSync(file, await platform.sign({ sub, aud: auth.issuer }));
  await renew("pod-1");
  const provider = new WorkloadIdentityProvider({ clientId: "pod", assertion: assertionFromFile(file) });
  const client = await connect(server, provider);
  expect(await call(client, "read")).toBe("read by pod-1");
  await renew("pod-2");
  await auth.expireAccessTokens();
  expect(await call(client, "read")).toBe("read by pod-2");
});

test("a user whom the organization knows does not log in again", async () => {
  const shared = { response_types: [], redirect_uris: [] };
  const identityProvider = await startAuthServer({
    exchange: { "app-at-acme": "app" },
    clients: [
      {
        ...shared,
        client_id: "app-at-acme",
        client_secret: "acme-secret",
        grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"],
      },
    ],
  });
  onTestFinished(() => identityProvider.close());
  const app: ClientMetadata = {
    ...shared,
    client_id: "app",
    client_secret: "app-secret",
    grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"],
  };
  const { auth, server } = await startServers({ clients: [app], trustedIssuers: [identityProvider.issuer] });
  // The ID token has the client of the application at the identity provider; the assertion, that at the authorization server.
  const provider = new CrossAppAccessProvider({
    clientId: "app",
    clientSecret: "app-secret",
    identityProvider: {
      issuer: identityProvider.issuer,
      clientId: "app-at-acme",
      clientSecret: "acme-secret",
      subjectToken: () => identityProvider.sign({ sub: "grace", aud: "app-at-acme" }),
    },
  });
  expect(await call(await connect(server, provider), "read")).toBe("read by grace");
  expect(auth.events).toEqual(["granted urn:ietf:params:oauth:grant-type:jwt-bearer"]);
});

test.each([
  { dpop: true, server: { dpop: true }, outcome: "DPoP" },
  { dpop: false, server: { dpop: true }, outcome: "Bearer" },
  { dpop: "auto", server: { dpop: false }, outcome: "Bearer" },
  { dpop: true, server: { dpop: false }, outcome: "metadata-invalid" },
] as const)("tokens with %o", async ({ dpop, server: options, outcome }) => {
  const { server } = await startServers({ clients, ...options });
  const schemes: string[] = [];
  const provider = new ClientCredentialsProvider({ clientId: "post", clientSecret: "post-secret", dpop });
  const headers = provider.headers.bind(provider);
  const seen: typeof provider.headers = async (...request) => {
    const sent = await headers(...request);
    schemes.push(sent["authorization"]?.split(" ")[0] ?? "none");
    return sent;
  };
  const called = connect(server, Object.assign(provider, { headers: seen })).then((client) => call(client, "read"));
  if (outcome === "metadata-invalid") await expect(called).rejects.toMatchObject({ data: { reason: outcome } });
  else {
    expect(await called).toBe("read by post");
    expect(new Set(schemes)).toEqual(new Set([outcome]));
  }
});
