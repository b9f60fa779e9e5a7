import { afterEach, describe, expect, it, vi } from "vitest";
import { exportJWK, exportPKCS8, generateKeyPair, SignJWT } from "jose";
import {
  AuthorizationError,
  ClientCredentialsProvider,
  InsufficientScopeError,
  MemoryCredentialStore,
  PrivateKeyJwtProvider,
  StaticPrivateKeyJwtProvider,
  WorkloadIdentityProvider,
} from "../../../../runtime/src/auth.js";
import type { ClientCredentialsProviderOptions } from "../../../../runtime/src/auth.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { down, json } from "../fake-network.js";
import { createService, type Service } from "./service.js";

const clientId = "nightly-report";
const clientSecret = "s3cr:t %";
const resource = "https://mcp.example.com/mcp";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

afterEach(() => vi.useRealTimers());

async function failure(work: Promise<unknown>): Promise<AuthorizationError> {
  const error: unknown = await work.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AuthorizationError)) throw error;
  return error;
}

describe("ClientCredentialsProvider", () => {
  function service(options: Partial<ClientCredentialsProviderOptions> = {}): Service<ClientCredentialsProvider> {
    const created = createService(
      ({ fetch }) => new ClientCredentialsProvider({ clientId, clientSecret, fetch, ...options }),
    );
    created.server.addClient({ clientId, clientSecret });
    return created;
  }

  it("gets a token with Basic authentication and the resource, and uses it for all requests", async () => {
    const { call, tokenForms } = service({ scopes: ["reports:read"] });
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toEqual([{ grant_type: "client_credentials", resource, scope: "reports:read" }]);
  });

  it("sends the secret in the body when the server lists only that", async () => {
    const { call, server, tokenForms } = service({ clientSecret: () => Promise.resolve(clientSecret) });
    server.settings.authMethods = ["client_secret_post"];
    server.addClient({ clientId, clientSecret, method: "client_secret_post" });
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toMatchObject([{ client_id: clientId, client_secret: clientSecret }]);
  });

  it("gets a new token before the old one expires, and ignores refresh tokens", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { call, network, server, tokenForms } = service();
    const heal = network.fail({
      at: "/token",
      respond: () => {
        server.accessTokens.set("at-1", {
          clientId,
          scopes: [],
          resource,
          expiresAt: Date.now() + 60_000,
          thumbprint: undefined,
          login: 1,
        });
        return json({ access_token: "at-1", token_type: "Bearer", expires_in: 60, refresh_token: "rt-1" });
      },
    });
    expect((await call()).status).toBe(200);
    heal();
    vi.setSystemTime(Date.now() + 59_000);
    expect((await call()).status).toBe(200);
    expect(tokenForms().map(({ grant_type }) => grant_type)).toEqual(["client_credentials", "client_credentials"]);
    expect(network.requests("POST https://mcp.example.com/mcp")).toHaveLength(3);
  });

  it("requests more scopes when the MCP server demands them, and stops when it does not get them", async () => {
    const { call, mcp, server, tokenForms } = service({ scopes: ["read"] });
    mcp.settings.neededScopes = ({ body }) => (body.includes("deploy") ? ["deploy"] : ["read"]);
    expect((await call()).status).toBe(200);
    expect((await call("deploy")).status).toBe(200);
    expect(tokenForms().map(({ scope }) => scope)).toEqual(["read", "read deploy"]);
    server.endLogins();
    server.settings.grantScopes = (scopes) => scopes.filter((scope) => scope !== "deploy");
    await expect(call("deploy")).rejects.toBeInstanceOf(InsufficientScopeError);
  });

  it("survives a restart with a store", async () => {
    const store = new MemoryCredentialStore();
    const { call, network, mcp } = service({ store });
    await call();
    const again = new ClientCredentialsProvider({ clientId, clientSecret, store, fetch: network.fetch });
    const token = await again.token({ url: new URL(mcp.url) });
    expect((await mcp.call({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect(JSON.stringify([...Object.entries(store)])).not.toContain(clientSecret);
  });

  it("binds tokens to a key when both servers announce DPoP", async () => {
    const { call, server, mcp, network } = service();
    server.settings.dpop = "offered";
    server.dpopChecks.nonce = "n-1";
    mcp.settings.dpop = "required";
    mcp.dpopChecks.nonce = "n-2";
    expect((await call()).status).toBe(200);
    mcp.dpopChecks.nonce = "n-3";
    expect((await call()).status).toBe(200);
    expect(network.requests("POST https://mcp.example.com/mcp").at(-1)?.headers.get("authorization")).toMatch(/^DPoP /);
  });

  it("sends its secret to its own issuer only", async () => {
    const { call, server, mcp, network, tokenForms } = service({ issuer: "https://auth.example.com" });
    const other = new FakeAuthorizationServer(network, "https://other.example.com");
    mcp.settings.servers = [other, server];
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toHaveLength(1);
    server.endLogins();
    mcp.settings.servers = [other];
    const error = await failure(call());
    expect(error).toMatchObject({ reason: "no-client", message: expect.stringContaining("option issuer") as string });
    expect(network.requests("POST https://other.example.com")).toEqual([]);
  });

  it("repeats a token request once when there was no response, but not when there was one", async () => {
    const { call, network, tokenForms } = service();
    network.fail({ at: "/token", respond: down, times: 1 });
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toHaveLength(2);
    const busy = service();
    busy.network.fail({ at: "/token", respond: () => new Response(null, { status: 503 }) });
    expect((await failure(busy.call())).data).toMatchObject({ reason: "unreachable", status: 503 });
    expect(busy.tokenForms()).toHaveLength(1);
  });

  it("reports a refusal", async () => {
    const { call } = service({ clientSecret: "wrong-secret" });
    const error = await failure(call());
    expect(error.data).toMatchObject({ reason: "token-refused", error: "invalid_client", status: 401 });
    expect(JSON.stringify([error.message, error.data])).not.toContain("wrong-secret");
  });

  it.each([{}, { clientId: "a" }, { clientId: "", clientSecret: "b" }, { clientId: "a", clientSecret: "" }])(
    "rejects the options %j",
    (options) => {
      expect(() => new ClientCredentialsProvider(options as ClientCredentialsProviderOptions)).toThrow(
        expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error,
      );
    },
  );
});

describe("PrivateKeyJwtProvider", () => {
  it("signs a new assertion for each request, without client_id", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const pem = await exportPKCS8(privateKey);
    const { call, server, tokenForms } = createService(
      ({ fetch }) => new PrivateKeyJwtProvider({ clientId, privateKey: pem, algorithm: "ES256", fetch }),
    );
    server.addClient({
      clientId,
      method: "private_key_jwt",
      publicJwk: { ...(await exportJWK(publicKey)), alg: "ES256" },
    });
    expect((await call()).status).toBe(200);
    server.expireAccessTokens();
    expect((await call()).status).toBe(200);
    const [first, second] = tokenForms();
    expect(first).toEqual({
      grant_type: "client_credentials",
      resource,
      client_assertion_type: assertionType,
      client_assertion: expect.any(String) as string,
    });
    expect(second?.["client_assertion"]).not.toBe(first?.["client_assertion"]);
  });

  it("reports a server that accepts no assertions, and one that lists other algorithms", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const { call, server } = createService(({ fetch }) => new PrivateKeyJwtProvider({ clientId, privateKey, fetch }));
    server.settings.metadata = { token_endpoint_auth_signing_alg_values_supported: ["RS256"] };
    expect(await failure(call())).toMatchObject({ reason: "no-client" });
  });

  it.each([{ clientId }, { clientId, privateKey: null }])("rejects the options %j", (options) => {
    expect(() => new PrivateKeyJwtProvider(options as never)).toThrow("privateKey");
  });
});

describe("StaticPrivateKeyJwtProvider", () => {
  it("sends assertions that were signed elsewhere", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const sign = (): Promise<string> =>
      new SignJWT()
        .setProtectedHeader({ alg: "ES256" })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience("https://auth.example.com")
        .setJti(crypto.randomUUID())
        .setExpirationTime("1m")
        .sign(privateKey);
    const { call, server, tokenForms } = createService(
      ({ fetch }) => new StaticPrivateKeyJwtProvider({ clientId, jwtBearerAssertion: sign, fetch }),
    );
    server.addClient({
      clientId,
      method: "private_key_jwt",
      publicJwk: { ...(await exportJWK(publicKey)), alg: "ES256" },
    });
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toMatchObject([{ client_assertion_type: assertionType }]);
    expect(() => new StaticPrivateKeyJwtProvider({ clientId, jwtBearerAssertion: "" })).toThrow("jwtBearerAssertion");
  });
});

describe("WorkloadIdentityProvider", () => {
  function service(
    assertions: string[],
  ): Service<WorkloadIdentityProvider> & { readonly store: MemoryCredentialStore } {
    const store = new MemoryCredentialStore();
    const created = createService(
      ({ fetch }) =>
        new WorkloadIdentityProvider({ clientId, assertion: () => assertions.shift() ?? "none left", store, fetch }),
    );
    created.server.settings.acceptsAssertion = (assertion) => assertion.startsWith("good");
    return { ...created, store };
  }

  it("exchanges the assertion, without client authentication", async () => {
    const { call, tokenForms } = service(["good-1"]);
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toEqual([{ grant_type: jwtBearer, assertion: "good-1", client_id: clientId, resource }]);
  });

  it("reads the assertion anew for each request, and stores none", async () => {
    const { call, server, store, tokenForms } = service(["good-1", "good-2"]);
    const set = vi.spyOn(store, "set");
    await call();
    server.expireAccessTokens();
    await call();
    expect(tokenForms().map(({ assertion }) => assertion)).toEqual(["good-1", "good-2"]);
    expect(JSON.stringify(set.mock.calls)).not.toContain("good-");
  });

  it("passes to the function the purpose of the assertion", async () => {
    const assertion = vi.fn(() => "good");
    const { call, server, mcp, network } = createService(
      ({ fetch }) => new WorkloadIdentityProvider({ clientId, assertion, scopes: ["a", "b"], fetch }),
    );
    server.settings.acceptsAssertion = () => true;
    await call();
    expect(assertion.mock.calls).toEqual([
      [
        {
          authorizationServerUrl: server.issuer,
          resourceUrl: mcp.url,
          scope: "a b",
          fetchFn: network.fetch,
          signal: expect.any(AbortSignal) as AbortSignal,
        },
      ],
    ]);
  });

  it("reports a refusal, and sends the same assertion never again", async () => {
    const { call, tokenForms } = service(["bad", "bad", "good"]);
    expect((await failure(call())).data).toMatchObject({ reason: "token-refused", error: "invalid_grant" });
    expect(tokenForms()).toHaveLength(1);
    const again = await failure(call());
    expect(again.data).toMatchObject({ reason: "token-refused", error: "invalid_grant" });
    expect(again.message).toContain("provide a new one");
    expect(again.message).not.toContain("bad");
    expect(tokenForms()).toHaveLength(1);
    expect((await call()).status).toBe(200);
    expect(tokenForms().map(({ grant_type }) => grant_type)).toEqual([jwtBearer, jwtBearer]);
  });

  it("passes the error of the function on", async () => {
    const error = new Error("no file");
    const { call, tokenForms } = createService(
      ({ fetch }) => new WorkloadIdentityProvider({ clientId, assertion: () => Promise.reject(error), fetch }),
    );
    await expect(call()).rejects.toMatchObject({ cause: error });
    expect(tokenForms()).toEqual([]);
  });

  it.each([{ clientId }, { clientId, assertion: "text" }, { assertion: () => "a" }])(
    "rejects the options %j",
    (options) => {
      expect(() => new WorkloadIdentityProvider(options as never)).toThrow(
        expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error,
      );
    },
  );
});
