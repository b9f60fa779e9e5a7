import type { RequestHandler } from "express";
import { OAuthTokenRevocationRequestSchema } from "../types/core-oauth-schemas.js";
import { authenticateClient, authenticatedClient } from "./client-auth.js";
import { answering, createEndpoint, type EndpointRateLimit, parseParams } from "./endpoint.js";
import type { OAuthServerProvider } from "./provider.js";

export interface RevocationHandlerOptions {
  provider: OAuthServerProvider;
  /** Options of `express-rate-limit`. Default: 50 requests in 15 minutes. */
  rateLimit?: EndpointRateLimit;
}

/**
 * The endpoint that revokes tokens (RFC 7009).
 * @throws Error for a provider without `revokeToken`
 */
export function revocationHandler({ provider, rateLimit }: RevocationHandlerOptions): RequestHandler {
  if (!provider.revokeToken) throw new Error("Auth provider does not support revoking tokens");
  const limit = { requests: 50, minutes: 15, of: "token revocation" };
  const router = createEndpoint({ methods: ["POST"], body: "form", isOpen: true, limit, rateLimit });
  router.use(authenticateClient({ clientsStore: provider.clientsStore }));
  router.post(
    "/",
    answering(async (request, response) => {
      const token = parseParams(OAuthTokenRevocationRequestSchema, request.body as unknown);
      await provider.revokeToken?.(authenticatedClient(request), token);
      response.status(200).json({});
    }),
  );
  return router;
}
