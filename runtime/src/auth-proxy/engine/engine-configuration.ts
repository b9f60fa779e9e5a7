import { createHmac, generateKeyPairSync } from "node:crypto";
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import { clientAuthMethods, paths } from "../endpoints.js";
import { errorPage } from "../error-page.js";
import { BrowserCookies } from "../pages/browser-cookies.js";
import { pageHeaders } from "../pages/page.js";
import { checkBrowser } from "./approving-browser.js";
import { boundedRotation } from "./refresh-rate.js";
import { chooseScopes } from "./requested-scopes.js";
import { documentProblem } from "../clients/metadata-documents.js";
import type { ProxySettings } from "../proxy-settings.js";
import { StoreAdapter, type StoreAccess } from "./store-adapter.js";

/** What the configuration needs besides the options. */
export interface EngineParts {
  readonly access: StoreAccess;
  /** Fetches a metadata document of a client. */
  readonly fetchDocument: (url: string) => Promise<Response>;
  readonly maxDocumentBytes: number;
}

/** Configures oidc-provider as an OAuth server for one resource, with opaque tokens. */
export function configureEngine(
  settings: ProxySettings,
  { access, fetchDocument, maxDocumentBytes }: EngineParts,
): Configuration {
  const { resource, scopes, secrets, basePath, issuerUrl } = settings;
  const browserCookies = new BrowserCookies(issuerUrl.protocol === "https:");
  const prefix = issuerUrl.protocol === "https:" ? "__Secure-" : "";
  const cookie = { signed: true, httpOnly: true, sameSite: "lax" } as const;
  return {
    adapter: (model) => new StoreAdapter(model, access),
    clients: settings.clients.map(({ clientId, clientSecret, clientName, redirectUris }) => ({
      client_id: clientId,
      ...(clientName !== undefined && { client_name: clientName }),
      ...(clientSecret === undefined
        ? { token_endpoint_auth_method: "none" as const }
        : { client_secret: clientSecret }),
      redirect_uris: [...redirectUris],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code" as const],
    })),
    // Any loopback port is accepted for native clients only (RFC 8252, section 7.3).
    clientDefaults: { application_type: "native", id_token_signed_response_alg: "ES256" },
    clientAuthMethods: [...clientAuthMethods],
    // Never printed: no ID token is issued.
    jwks: {
      keys: [
        {
          ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
          alg: "ES256",
          use: "sig",
        },
      ] as never,
    },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    cookies: {
      keys: secrets.map((secret) => createHmac("sha256", secret).update("cookies").digest("base64url")),
      names: {
        interaction: `${prefix}mcp-interaction`,
        resume: `${prefix}mcp-resume`,
        session: `${prefix}mcp-session`,
      },
      short: cookie,
      long: cookie,
    },
    scopes: [...scopes],
    claims: { openid: ["sub"] },
    responseTypes: ["code"],
    pkce: { required: () => true },
    rotateRefreshToken: boundedRotation(settings.accessTokenSeconds),
    issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    // A token that was used twice, or revoked, ends everything that came from the same consent.
    revokeGrantPolicy: () => true,
    loadExistingGrant: (context) => {
      const grantId = context.oidc.result?.consent?.grantId;
      if (grantId === undefined) return undefined;
      checkBrowser(context, browserCookies);
      return context.oidc.provider.Grant.find(grantId);
    },
    clientBasedCORS: () => true,
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { policy: askEachTime(), url: (_context, { uid }) => `${basePath}${paths.consent}/${uid}` },
    extraParams: {
      // Runs after all checks of the request's syntax; its own name is never sent.
      mcp_scopes: ({ oidc }: KoaContextWithOIDC) => {
        if (oidc.params) oidc.params["scope"] = chooseScopes(oidc.params["scope"], scopes);
      },
    },
    ttl: {
      AccessToken: settings.accessTokenSeconds,
      AuthorizationCode: 60,
      Grant: settings.grantSeconds,
      IdToken: 60,
      Interaction: settings.interactionSeconds,
      RefreshToken: settings.refreshTokenSeconds,
      Session: settings.interactionSeconds,
    },
    routes: {
      authorization: paths.authorization,
      token: paths.token,
      registration: paths.registration,
      revocation: paths.revocation,
      jwks: paths.jwks,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: true },
      registration: settings.registration ? { enabled: true, issueRegistrationAccessToken: false } : { enabled: false },
      clientIdMetadataDocument: settings.metadataDocuments
        ? { enabled: true, ack: "draft-02", cacheDuration: { min: 60, max: 86_400 } }
        : { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => client.clientId === token.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, identifier) => {
          if (identifier !== resource) throw new errors.InvalidTarget(`this server issues tokens for ${resource} only`);
          return { scope: scopes.join(" "), audience: resource, accessTokenFormat: "opaque" };
        },
      },
    },
    fetch: (url) => fetchDocument(new Request(url).url),
    fetchResponseBodyLimits: { "client_id metadata document": maxDocumentBytes },
    renderError: (context, { error, error_description }, cause) => {
      context.set(pageHeaders);
      context.body = errorPage(error, documentProblem(cause) ?? error_description);
    },
  };
}

/** Every authorization asks the user: public clients cannot prove who they are (RFC 8252, section 8.6). */
function askEachTime(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.clear();
  policy.add(
    new interactionPolicy.Prompt(
      { name: "consent", requestable: true },
      new interactionPolicy.Check(
        "consent_missing",
        "the user has to log in and consent",
        "consent_required",
        ({ oidc }) => oidc.result?.consent?.grantId === undefined,
      ),
    ),
  );
  return policy;
}
