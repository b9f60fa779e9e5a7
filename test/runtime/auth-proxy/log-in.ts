/** Clients of an OAuth proxy, by another client library. */
import * as oauth from "oauth4webapi";
import { http, redirectUri, type StartedProxy, TestBrowser } from "./started-proxy.js";

export const nativeClient = {
  client_name: "tests",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

export async function metadataOf(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { ...http, algorithm: "oauth2" }));
}

export async function register(issuer: string, metadata: object = nativeClient): Promise<oauth.Client> {
  const response = await oauth.dynamicClientRegistrationRequest(await metadataOf(issuer), metadata, http);
  return oauth.processDynamicClientRegistrationResponse(response);
}

export interface AuthorizationCode {
  readonly client: oauth.Client;
  readonly verifier: string;
  /** The redirect to the client. */
  readonly callback: URL;
  readonly parameters: URLSearchParams;
  readonly redirectUri: string;
}

/** The URL of an authorization request. */
export async function authorizationUrl(
  { issuer, resource }: Pick<StartedProxy, "issuer" | "resource">,
  client: oauth.Client,
  verifier: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<URL> {
  const { authorization_endpoint = "" } = await metadataOf(issuer);
  const url = new URL(authorization_endpoint);
  const all: Record<string, string | undefined> = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "files:read",
    state: "state of the client",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource,
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Gets an authorization code. */
export async function authorize(
  started: StartedProxy,
  client: oauth.Client,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<AuthorizationCode> {
  const verifier = oauth.generateRandomCodeVerifier();
  const { location, page } = await new TestBrowser().visit(
    await authorizationUrl(started, client, verifier, parameters),
  );
  if (!location) throw new Error(`no redirect: ${page?.status} ${await page?.text()}`);
  const metadata = await metadataOf(started.issuer);
  const checked = oauth.validateAuthResponse(metadata, client, location, "state of the client");
  return {
    client,
    verifier,
    callback: location,
    parameters: checked,
    redirectUri: parameters["redirect_uri"] ?? redirectUri,
  };
}

/** Sends a request to the token endpoint. */
export async function requestToken(
  issuer: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) body.set(name, value);
  const response = await fetch(`${issuer}/token`, { method: "POST", body });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** Redeems a code. */
export function redeem(
  issuer: string,
  { client, verifier, parameters, redirectUri }: AuthorizationCode,
  changed: Readonly<Record<string, string | undefined>> = {},
): ReturnType<typeof requestToken> {
  return requestToken(issuer, {
    grant_type: "authorization_code",
    client_id: client.client_id,
    code: parameters.get("code") ?? "",
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...changed,
  });
}

export interface Tokens {
  readonly client: oauth.Client;
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Registers a client, and gets tokens for it. */
export async function logIn(started: StartedProxy, client?: oauth.Client): Promise<Tokens> {
  const own = client ?? (await register(started.issuer));
  const { status, body } = await redeem(started.issuer, await authorize(started, own));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { client: own, access_token: String(body["access_token"]), refresh_token: String(body["refresh_token"]) };
}

export function refresh(issuer: string, { client, refresh_token }: Tokens): ReturnType<typeof requestToken> {
  return requestToken(issuer, { grant_type: "refresh_token", client_id: client.client_id, refresh_token });
}
