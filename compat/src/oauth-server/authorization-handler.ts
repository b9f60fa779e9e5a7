import type { RequestHandler, Response } from "express";
import * as z from "zod/v4";
import type { OAuthClientInformationFull } from "../shared/oauth-types.js";
import { answering, createEndpoint, type EndpointRateLimit, parseParams, toOAuthError } from "./endpoint.js";
import { InvalidClientError, InvalidRequestError } from "./errors.js";
import type { OAuthRegisteredClientsStore, OAuthServerProvider } from "./provider.js";
import { addIssuerToRedirects, errorRedirect, redirectUriMatches } from "./redirects.js";

export interface AuthorizationHandlerOptions {
  provider: OAuthServerProvider;
  /** The issuer that redirects to clients name (RFC 9207). Default: they name none. */
  issuerUrl?: URL;
  /** Options of `express-rate-limit`. Default: 100 requests in 15 minutes. */
  rateLimit?: EndpointRateLimit;
}

const ClientParams = /* @__PURE__ */ z.object({
  client_id: /* @__PURE__ */ z.string(),
  redirect_uri: /* @__PURE__ */ z
    .string()
    .optional()
    .refine((value) => value === undefined || URL.canParse(value), { message: "redirect_uri must be a valid URL" }),
});

const RequestParams = /* @__PURE__ */ z.object({
  response_type: /* @__PURE__ */ z.literal("code"),
  code_challenge: /* @__PURE__ */ z.string(),
  code_challenge_method: /* @__PURE__ */ z.literal("S256"),
  scope: /* @__PURE__ */ z.string().optional(),
  state: /* @__PURE__ */ z.string().optional(),
  resource: /* @__PURE__ */ z.url().optional(),
});

/** A client, and the URL at which it waits for the answer. */
interface Caller {
  readonly client: OAuthClientInformationFull;
  readonly redirectUri: string;
}

/**
 * The authorization endpoint (RFC 6749, section 4.1.1; RFC 7636). Errors are reported to the client at its URL; only errors in the id or the
 * URL of the client get a response.
 */
export function authorizationHandler({ provider, issuerUrl, rateLimit }: AuthorizationHandlerOptions): RequestHandler {
  const limit = { requests: 100, minutes: 15, of: "authorization" };
  const router = createEndpoint({ methods: ["GET", "POST"], body: "form", isOpen: false, limit, rateLimit });
  router.all(
    "/",
    answering(async (request, response) => {
      const params: unknown = request.method === "POST" ? request.body : request.query;
      const caller = await findCaller(provider.clientsStore, params);
      try {
        await authorize(provider, caller, params, response, issuerUrl?.href);
      } catch (thrown) {
        if (response.headersSent) throw thrown;
        const { state } = params as { readonly state?: unknown };
        const url = errorRedirect(
          caller.redirectUri,
          toOAuthError(thrown),
          typeof state === "string" ? state : undefined,
          issuerUrl?.href,
        );
        response.redirect(302, url);
      }
    }),
  );
  return router;
}

/** @throws OAuthError for an unknown client, or a URL that it has not registered */
async function findCaller(store: OAuthRegisteredClientsStore, params: unknown): Promise<Caller> {
  const { client_id, redirect_uri: requested } = parseParams(ClientParams, params);
  const client = await store.getClient(client_id);
  if (!client) throw new InvalidClientError("Invalid client_id");
  if (requested !== undefined) {
    if (!client.redirect_uris.some((registered) => redirectUriMatches(requested, registered)))
      throw new InvalidRequestError("Unregistered redirect_uri");
    return { client, redirectUri: requested };
  }
  const [only, ...others] = client.redirect_uris;
  if (only === undefined || others.length > 0)
    throw new InvalidRequestError("redirect_uri must be specified when client has multiple registered URIs");
  return { client, redirectUri: only };
}

async function authorize(
  provider: OAuthServerProvider,
  { client, redirectUri }: Caller,
  given: unknown,
  response: Response,
  issuer: string | undefined,
): Promise<void> {
  const { scope, state, resource, code_challenge } = parseParams(RequestParams, given);
  const params = {
    scopes: scope?.split(" ") ?? [],
    redirectUri,
    codeChallenge: code_challenge,
    ...(state !== undefined && { state }),
    ...(resource !== undefined && { resource: new URL(resource) }),
    ...(issuer !== undefined && { issuer }),
  };
  if (issuer !== undefined) addIssuerToRedirects(response, redirectUri, issuer);
  await provider.authorize(client, params, response);
}
