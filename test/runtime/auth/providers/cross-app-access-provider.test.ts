import { describe, expect, it, vi } from "vitest";
import { AuthorizationError, CrossAppAccessProvider } from "../../../../runtime/src/auth.js";
import type { CrossAppAccessProviderOptions } from "../../../../runtime/src/auth.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { json } from "../fake-network.js";
import { createService, type Service } from "./service.js";

const clientId = "app-at-mcp";
const clientSecret = "mcp-secret";
const idp = "https://acme.idp.example";
const idToken = "id-token-of-the-user";
const resource = "https://mcp.example.com/mcp";
const idJag = "urn:ietf:params:oauth:token-type:id-jag";

interface Organization extends Service<CrossAppAccessProvider> {
  readonly identityProvider: FakeAuthorizationServer;
  /** The forms that the identity provider has received. */
  readonly exchanges: () => readonly Record<string, string>[];
}

function organization(options: Partial<CrossAppAccessProviderOptions> = {}): Organization {
  const created = createService(
    ({ fetch }) =>
      new CrossAppAccessProvider({
        clientId,
        clientSecret,
        identityProvider: { issuer: idp, clientId: "app-at-idp", clientSecret: "idp-secret", subjectToken: idToken },
        fetch,
        ...options,
      }),
  );
  const { server, network } = created;
  const identityProvider = new FakeAuthorizationServer(network, idp);
  identityProvider.addClient({ clientId: "app-at-idp", clientSecret: "idp-secret" });
  identityProvider.settings.acceptsSubjectToken = (token) => token === idToken;
  server.addClient({ clientId, clientSecret });
  server.settings.acceptsAssertion = (assertion) => assertion.startsWith("id-jag-app-at-idp");
  const exchanges = (): readonly Record<string, string>[] =>
    network.requests(`POST ${idp}`).map(({ form }) => Object.fromEntries(form));
  return { ...created, identityProvider, exchanges };
}

async function failure(work: Promise<unknown>): Promise<AuthorizationError> {
  const error: unknown = await work.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AuthorizationError)) throw error;
  return error;
}

describe("CrossAppAccessProvider", () => {
  it("exchanges the user's ID token for a JWT authorization grant, and that for a token", async () => {
    const { call, exchanges, tokenForms, network } = organization({ scopes: ["chat.read"] });
    expect((await call()).status).toBe(200);
    expect(exchanges()).toEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        requested_token_type: idJag,
        audience: "https://auth.example.com",
        resource,
        scope: "chat.read",
        subject_token: idToken,
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      },
    ]);
    expect(tokenForms()).toEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: expect.stringMatching(/^id-jag/) as string,
        resource,
        scope: "chat.read",
      },
    ]);
    const [request] = network.requests("POST https://auth.example.com/token");
    expect(request?.headers.get("authorization")).toBe(`Basic ${btoa("app-at-mcp:mcp-secret")}`);
  });

  it("exchanges the identity assertion again for the next token", async () => {
    const subjectToken = vi.fn(() => Promise.resolve(idToken));
    const identityProvider = { tokenEndpoint: `${idp}/token`, clientId: "public", subjectToken };
    const { call, server, exchanges, identityProvider: fake, network } = organization({ identityProvider });
    fake.addClient({ clientId: "public" });
    server.settings.acceptsAssertion = () => true;
    await call();
    server.expireAccessTokens();
    await call();
    expect(subjectToken).toHaveBeenCalledTimes(2);
    expect(exchanges()).toMatchObject([{ client_id: "public" }, { client_id: "public" }]);
    expect(network.requests(`GET ${idp}`)).toEqual([]);
  });

  it("sends SAML assertions as such", async () => {
    const identityProvider = {
      tokenEndpoint: `${idp}/token`,
      clientId: "app-at-idp",
      clientSecret: "idp-secret",
      subjectToken: idToken,
      subjectTokenType: "saml2",
    } as const;
    const { call, exchanges } = organization({ identityProvider });
    expect((await call()).status).toBe(200);
    expect(exchanges()).toMatchObject([{ subject_token_type: "urn:ietf:params:oauth:token-type:saml2" }]);
  });

  it("requests only the scopes that the identity provider allows", async () => {
    const { call, network, server, tokenForms } = organization({ scopes: ["read", "write"] });
    server.settings.acceptsAssertion = () => true;
    const members = { access_token: "jag", issued_token_type: idJag, token_type: "N_A", scope: "read" };
    network.fail({ at: `POST ${idp}/token`, respond: () => json(members) });
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toMatchObject([{ assertion: "jag", scope: "read" }]);
  });

  it.each<[string, object, number, object]>([
    [
      "a refusal",
      { error: "invalid_grant", error_description: "not allowed" },
      400,
      { reason: "token-refused", error: "invalid_grant", issuer: idp },
    ],
    [
      "another token type",
      { access_token: "at", token_type: "Bearer", issued_token_type: "urn:ietf:params:oauth:token-type:access_token" },
      200,
      { reason: "token-invalid" },
    ],
    ["no issued_token_type", { access_token: "at", token_type: "N_A" }, 200, { reason: "token-invalid" }],
    ["no token", { issued_token_type: idJag, token_type: "N_A" }, 200, { reason: "token-invalid" }],
    ["status 500", {}, 500, { reason: "unreachable", status: 500 }],
  ])("fails without another way to log in: %s of the identity provider", async (_title, body, status, expected) => {
    const { call, network, tokenForms } = organization();
    network.fail({ at: `POST ${idp}/token`, respond: () => json(body, status) });
    const error = await failure(call());
    expect(error.data).toMatchObject(expected);
    expect(error.message).toContain(idp);
    expect(JSON.stringify([error.message, error.data])).not.toContain(idToken);
    expect(tokenForms()).toEqual([]);
    expect(network.requests("/authorize")).toEqual([]);
  });

  it("fails when the authorization server refuses the grant", async () => {
    const { call, server, tokenForms } = organization();
    server.settings.acceptsAssertion = () => false;
    expect((await failure(call())).data).toMatchObject({ reason: "token-refused", issuer: server.issuer });
    expect(tokenForms()).toHaveLength(1);
  });

  it("uses the grant of a function", async () => {
    const assertion = vi.fn(() => "own-jag");
    const { call, server, tokenForms } = createService(
      ({ fetch }) => new CrossAppAccessProvider({ clientId, clientSecret, assertion, fetch }),
    );
    server.addClient({ clientId, clientSecret });
    server.settings.acceptsAssertion = (given) => given === "own-jag";
    expect((await call()).status).toBe(200);
    expect(tokenForms()).toMatchObject([{ assertion: "own-jag" }]);
    expect(assertion.mock.calls).toMatchObject([[{ authorizationServerUrl: server.issuer, resourceUrl: resource }]]);
  });

  it("needs the resource metadata of the MCP server", async () => {
    const { call, mcp, server } = organization();
    mcp.settings.metadataAt = "none";
    server.settings.metadataAt = "none";
    new FakeAuthorizationServer(mcp.network, "https://mcp.example.com", { metadataAt: "origin" });
    expect((await failure(call())).reason).toBe("metadata-not-found");
  });

  it("sends the identity assertion to secure URLs only", async () => {
    const identityProvider = { tokenEndpoint: "http://idp.example/token", clientId: "a", subjectToken: idToken };
    const { call, network } = organization({ identityProvider });
    expect((await failure(call())).reason).toBe("insecure-url");
    expect(network.requests("idp.example/token")).toEqual([]);
  });

  it.each<[string, object]>([
    ["neither identityProvider nor assertion", {}],
    ["both", { assertion: () => "a", identityProvider: { issuer: idp, clientId: "a", subjectToken: "b" } }],
    ["no URL of the identity provider", { identityProvider: { clientId: "a", subjectToken: "b" } }],
    ["no client id at the identity provider", { identityProvider: { issuer: idp, subjectToken: "b" } }],
  ])("rejects options: %s", (_title, options) => {
    expect(() => new CrossAppAccessProvider({ clientId, clientSecret, ...options })).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error,
    );
  });
});
