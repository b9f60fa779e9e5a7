import type { RequestHandler } from "express";
import * as z from "zod/v4";
import type { OAuthClientInformationFull } from "../shared/oauth-types.js";
import { answering, parseParams } from "./endpoint.js";
import { InvalidClientError } from "./errors.js";
import type { OAuthRegisteredClientsStore } from "./provider.js";
import { isSameSecret } from "./secrets.js";

declare module "express-serve-static-core" {
  interface Request {
    /** The client of the request, which `authenticateClient` sets. */
    client?: OAuthClientInformationFull;
  }
}

export interface ClientAuthenticationMiddlewareOptions {
  clientsStore: OAuthRegisteredClientsStore;
}

const Credentials = /* @__PURE__ */ z.object({
  client_id: /* @__PURE__ */ z.string(),
  client_secret: /* @__PURE__ */ z.string().optional(),
});

/** Requires the id and secret of a client in the parsed body, and sets `request.client` (RFC 6749, section 2.3.1). */
export function authenticateClient({ clientsStore }: ClientAuthenticationMiddlewareOptions): RequestHandler {
  return answering(async (request, _response, next) => {
    const credentials = parseParams(Credentials, request.body as unknown);
    const client = await clientsStore.getClient(credentials.client_id);
    if (!client) throw new InvalidClientError("Invalid client_id");
    assertSecret(client, credentials.client_secret);
    request.client = client;
    next();
  });
}

/** @throws InvalidClientError for a secret that is missing, wrong or expired */
function assertSecret(client: OAuthClientInformationFull, secret: string | undefined): void {
  const { client_secret: expected, client_secret_expires_at: expiresAt } = client;
  if (!expected) return;
  if (!secret) throw new InvalidClientError("Client secret is required");
  if (!isSameSecret(secret, expected)) throw new InvalidClientError("Invalid client_secret");
  if (expiresAt && expiresAt < Math.floor(Date.now() / 1000)) throw new InvalidClientError("Client secret has expired");
}

/** The client that `authenticateClient` has set. */
export function authenticatedClient({
  client,
}: {
  readonly client?: OAuthClientInformationFull;
}): OAuthClientInformationFull {
  if (!client) throw new Error("authenticateClient must run before the handler");
  return client;
}
