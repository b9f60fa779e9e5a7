import { randomBytes, randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { OAuthClientInformationFull, OAuthClientMetadata } from "../shared/oauth-types.js";
import { OAuthClientMetadataSchema } from "../types/core-oauth-schemas.js";
import { answering, createEndpoint, type EndpointRateLimit, parseParams } from "./endpoint.js";
import { InvalidClientMetadataError } from "./errors.js";
import type { OAuthRegisteredClientsStore } from "./provider.js";

export interface ClientRegistrationHandlerOptions {
  clientsStore: OAuthRegisteredClientsStore;
  /** After how many seconds secrets expire; `0` for never. Default: 30 days. */
  clientSecretExpirySeconds?: number;
  /** Options of `express-rate-limit`. Default: 20 requests in an hour. */
  rateLimit?: EndpointRateLimit;
  /** Whether clients get an id before the store gets them. Default: `true`. */
  clientIdGeneration?: boolean;
}

const thirtyDays = 30 * 24 * 60 * 60;

/**
 * The endpoint at which clients register themselves (RFC 7591). Clients get a secret, unless they have none.
 * @throws Error for a store without `registerClient`
 */
export function clientRegistrationHandler(options: ClientRegistrationHandlerOptions): RequestHandler {
  const { clientsStore, clientSecretExpirySeconds = thirtyDays, rateLimit, clientIdGeneration = true } = options;
  if (!clientsStore.registerClient) throw new Error("Client registration store does not support registering clients");
  const limit = { requests: 20, minutes: 60, of: "client registration" };
  const router = createEndpoint({ methods: ["POST"], body: "json", isOpen: true, limit, rateLimit });
  router.post(
    "/",
    answering(async (request, response) => {
      const metadata = parseParams(OAuthClientMetadataSchema, request.body as unknown, InvalidClientMetadataError);
      const issuedAt = Math.floor(Date.now() / 1000);
      const client = {
        ...metadata,
        ...newSecret(metadata, issuedAt, clientSecretExpirySeconds),
        ...(clientIdGeneration && { client_id: randomUUID(), client_id_issued_at: issuedAt }),
      };
      response.status(201).json(await clientsStore.registerClient?.(client));
    }),
  );
  return router;
}

function newSecret(
  { token_endpoint_auth_method }: OAuthClientMetadata,
  issuedAt: number,
  seconds: number,
): Pick<OAuthClientInformationFull, "client_secret" | "client_secret_expires_at"> {
  if (token_endpoint_auth_method === "none") return {};
  return {
    client_secret: randomBytes(32).toString("hex"),
    client_secret_expires_at: seconds > 0 ? issuedAt + seconds : 0,
  };
}
