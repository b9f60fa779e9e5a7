import type { RequestHandler } from "express";
import * as z from "zod/v4";
import type { OAuthClientInformationFull, OAuthTokens } from "../shared/oauth-types.js";
import { authenticateClient, authenticatedClient } from "./client-auth.js";
import { answering, createEndpoint, type EndpointRateLimit, parseParams } from "./endpoint.js";
import { InvalidGrantError, UnsupportedGrantTypeError } from "./errors.js";
import type { OAuthServerProvider } from "./provider.js";
import { isVerifierOf } from "./secrets.js";

export interface TokenHandlerOptions {
  provider: OAuthServerProvider;
  /** Options of `express-rate-limit`. Default: 50 requests in 15 minutes. */
  rateLimit?: EndpointRateLimit;
}

const GrantType = /* @__PURE__ */ z.object({ grant_type: /* @__PURE__ */ z.string() });
const CodeGrant = /* @__PURE__ */ z.object({
  code: /* @__PURE__ */ z.string(),
  code_verifier: /* @__PURE__ */ z.string(),
  redirect_uri: /* @__PURE__ */ z.string().optional(),
  resource: /* @__PURE__ */ z.url().optional(),
});
const RefreshGrant = /* @__PURE__ */ z.object({
  refresh_token: /* @__PURE__ */ z.string(),
  scope: /* @__PURE__ */ z.string().optional(),
  resource: /* @__PURE__ */ z.url().optional(),
});

type Grant = (provider: OAuthServerProvider, client: OAuthClientInformationFull, body: unknown) => Promise<OAuthTokens>;

const grants = new Map<string, Grant>([
  ["authorization_code", exchangeCode],
  ["refresh_token", refresh],
]);

/** The token endpoint (RFC 6749, section 3.2; RFC 7636). */
export function tokenHandler({ provider, rateLimit }: TokenHandlerOptions): RequestHandler {
  const limit = { requests: 50, minutes: 15, of: "token" };
  const router = createEndpoint({ methods: ["POST"], body: "form", isOpen: true, limit, rateLimit });
  router.use(authenticateClient({ clientsStore: provider.clientsStore }));
  router.post(
    "/",
    answering(async (request, response) => {
      const body = request.body as unknown;
      const grant = grants.get(parseParams(GrantType, body).grant_type);
      if (!grant) throw new UnsupportedGrantTypeError("The grant type is not supported by this authorization server.");
      response.status(200).json(await grant(provider, authenticatedClient(request), body));
    }),
  );
  return router;
}

async function exchangeCode(...[provider, client, body]: Parameters<Grant>): Promise<OAuthTokens> {
  const { code, code_verifier, redirect_uri, resource } = parseParams(CodeGrant, body);
  const isCheckedElsewhere = provider.skipLocalPkceValidation === true;
  if (!isCheckedElsewhere && !isVerifierOf(await provider.challengeForAuthorizationCode(client, code), code_verifier))
    throw new InvalidGrantError("code_verifier does not match the challenge");
  const verifier = isCheckedElsewhere ? code_verifier : undefined;
  return provider.exchangeAuthorizationCode(client, code, verifier, redirect_uri, toUrl(resource));
}

async function refresh(...[provider, client, body]: Parameters<Grant>): Promise<OAuthTokens> {
  const { refresh_token, scope, resource } = parseParams(RefreshGrant, body);
  return provider.exchangeRefreshToken(client, refresh_token, scope?.split(" "), toUrl(resource));
}

function toUrl(resource: string | undefined): URL | undefined {
  return resource === undefined ? undefined : new URL(resource);
}
