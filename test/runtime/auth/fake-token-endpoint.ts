import { importJWK, jwtVerify } from "jose";
import { DpopProblem, sha256 } from "./dpop-checks.js";
import { json, type SeenRequest } from "./fake-network.js";
import {
  OAuthProblem,
  scopesOf,
  type FakeClient,
  type FakeServerState,
  type FakeTokenFacts,
} from "./fake-server-state.js";

const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const idJag = "urn:ietf:params:oauth:token-type:id-jag";

/** Responds to a request to the token endpoint. */
export async function tokenResponse(server: FakeServerState, request: SeenRequest): Promise<Response> {
  const { nonce } = server.dpopChecks;
  const headers = nonce === undefined ? {} : { "dpop-nonce": nonce };
  try {
    return json(await respond(server, request), 200, headers);
  } catch (error) {
    if (error instanceof DpopProblem)
      return json({ error: error.code, error_description: error.message }, 400, headers);
    if (!(error instanceof OAuthProblem)) throw error;
    return json({ error: error.code, error_description: error.message }, error.status, headers);
  }
}

async function respond(server: FakeServerState, request: SeenRequest): Promise<object> {
  const { form } = request;
  const grantType = form.get("grant_type");
  const client = await authenticate(server, request, grantType === jwtBearer);
  const thumbprint = server.settings.dpop === "no" ? undefined : await server.dpopChecks.thumbprint(request);
  if (server.settings.dpop === "required" && thumbprint === undefined)
    throw new DpopProblem("invalid_dpop_proof", "a DPoP proof is required");
  const grant = { server, form, client, thumbprint };
  if (grantType === "authorization_code") return redeemCode(grant);
  if (grantType === "refresh_token") return refresh(grant);
  if (grantType === exchange) return exchangeToken(grant);
  if (grantType === "client_credentials") {
    if (client.method === "none") throw new OAuthProblem("unauthorized_client");
    return issue(grant, newLogin(grant), false);
  }
  if (grantType === jwtBearer) {
    if (!server.settings.acceptsAssertion(form.get("assertion") ?? ""))
      throw new OAuthProblem("invalid_grant", "the assertion is not accepted");
    return issue(grant, newLogin(grant), false);
  }
  throw new OAuthProblem("unsupported_grant_type", String(grantType));
}

interface GrantRequest {
  readonly server: FakeServerState;
  readonly form: URLSearchParams;
  readonly client: FakeClient;
  readonly thumbprint: string | undefined;
}

async function authenticate(
  server: FakeServerState,
  { form, headers }: SeenRequest,
  mayBeUnknown: boolean,
): Promise<FakeClient> {
  const failed = new OAuthProblem("invalid_client", "the client is not authenticated", 401);
  const assertion = form.get("client_assertion");
  const basic = /^Basic (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
  const parts = basic === undefined ? undefined : Buffer.from(basic, "base64").toString().split(":");
  const [basicId, basicSecret] = parts?.map((part) => decodeURIComponent(part.replaceAll("+", " "))) ?? [];
  const claimed = assertion === null ? undefined : (JSON.parse(payloadOf(assertion)) as { readonly sub?: string }).sub;
  const clientId = basicId ?? form.get("client_id") ?? claimed ?? "";
  const client = server.clients.get(clientId);
  if (!client) {
    if (mayBeUnknown && basic === undefined && assertion === null) return { clientId, method: "none" };
    throw failed;
  }
  const secret = form.get("client_secret");
  const used = [basic !== undefined, secret !== null, assertion !== null].filter(Boolean).length;
  if (used > 1) throw new OAuthProblem("invalid_request", "several client authentications");
  switch (client.method) {
    case "none":
      if (used > 0) throw failed;
      break;
    case "client_secret_basic":
      if (basicSecret !== client.clientSecret) throw failed;
      break;
    case "client_secret_post":
      if (secret !== client.clientSecret) throw failed;
      break;
    case "private_key_jwt":
      if (assertion === null || !client.publicJwk) throw failed;
      await jwtVerify(assertion, await importJWK(client.publicJwk), {
        issuer: clientId,
        subject: clientId,
        audience: [server.issuer, `${server.issuer}/token`],
        requiredClaims: ["exp", "jti"],
      }).catch(() => {
        throw failed;
      });
  }
  return client;
}

async function redeemCode({ server, form, client, thumbprint }: GrantRequest): Promise<object> {
  const code = server.codes.get(form.get("code") ?? "");
  if (code?.clientId !== client.clientId) throw new OAuthProblem("invalid_grant", "unknown code");
  if (code.used) {
    server.endLogin(code.login);
    throw new OAuthProblem("invalid_grant", "the code was used before");
  }
  code.used = true;
  if (code.expiresAt < Date.now()) throw new OAuthProblem("invalid_grant", "the code has expired");
  if (code.redirectUri !== form.get("redirect_uri")) throw new OAuthProblem("invalid_grant", "another redirect URI");
  if (code.challenge !== (await sha256(form.get("code_verifier") ?? "")))
    throw new OAuthProblem("invalid_grant", "the code verifier does not fit");
  if (code.resource !== server.checkResource(form.get("resource") ?? undefined))
    throw new OAuthProblem("invalid_target", "another resource than in the authorization request");
  return issue({ server, form, client, thumbprint }, code, true);
}

function refresh(grant: GrantRequest): object {
  const { server, form, client, thumbprint } = grant;
  const token = form.get("refresh_token") ?? "";
  const retired = server.retired.get(token);
  if (retired) server.endLogin(retired.login);
  const facts = server.refreshTokens.get(token);
  if (facts?.clientId !== client.clientId) throw new OAuthProblem("invalid_grant", "unknown refresh token");
  if (facts.thumbprint !== thumbprint) throw new OAuthProblem("invalid_grant", "another key");
  if (facts.resource !== server.checkResource(form.get("resource") ?? undefined))
    throw new OAuthProblem("invalid_target", "another resource than in the authorization request");
  const scopes = form.has("scope") ? scopesOf(form.get("scope")) : facts.scopes;
  if (scopes.some((scope) => !facts.scopes.includes(scope))) throw new OAuthProblem("invalid_scope");
  if (server.settings.rotation) {
    server.refreshTokens.delete(token);
    server.retired.set(token, facts);
  }
  return issue(grant, { ...facts, scopes }, server.settings.rotation);
}

function exchangeToken({ server, form, client }: GrantRequest): object {
  if (!server.settings.acceptsSubjectToken(form.get("subject_token") ?? "")) throw new OAuthProblem("invalid_grant");
  for (const name of ["audience", "resource", "subject_token_type"])
    if (!form.has(name)) throw new OAuthProblem("invalid_request", `${name} is missing`);
  if (form.get("requested_token_type") !== idJag) throw new OAuthProblem("invalid_request", "requested_token_type");
  return {
    access_token: server.secret(`id-jag-${client.clientId}`),
    issued_token_type: idJag,
    token_type: "N_A",
    expires_in: 300,
  };
}

function newLogin({ server, form, client }: GrantRequest): FakeTokenFacts {
  const resource = server.checkResource(form.get("resource") ?? undefined);
  const scopes = server.settings.grantScopes(scopesOf(form.get("scope")));
  return { clientId: client.clientId, scopes, resource, expiresAt: 0, thumbprint: undefined, login: -1 };
}

function issue({ server, thumbprint }: GrantRequest, facts: FakeTokenFacts, mayRefresh: boolean): object {
  const { expiresIn, refreshTokens, statesScope } = server.settings;
  const issued = {
    ...facts,
    thumbprint,
    expiresAt: expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000,
  };
  const accessToken = server.secret("access");
  server.accessTokens.set(accessToken, issued);
  const refreshToken = mayRefresh && refreshTokens ? server.secret("refresh") : undefined;
  if (refreshToken !== undefined) server.refreshTokens.set(refreshToken, issued);
  return {
    access_token: accessToken,
    token_type: thumbprint === undefined ? "Bearer" : "DPoP",
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(statesScope && issued.scopes.length > 0 && { scope: issued.scopes.join(" ") }),
  };
}

function payloadOf(jwt: string): string {
  return Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString();
}
