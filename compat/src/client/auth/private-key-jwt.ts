import type { JWK } from "jose";
import type { AddClientAuthentication } from "./provider.js";

export interface PrivateKeyJwtOptions {
  issuer: string;
  subject: string;
  /** A key as PEM, a JWK, or the bytes of a secret. */
  privateKey: string | Uint8Array | Record<string, unknown>;
  alg: string;
  /** Default: the issuer in the metadata, else the token endpoint. */
  audience?: string | URL;
  /** Default: 300. */
  lifetimeSeconds?: number;
  claims?: Record<string, unknown>;
}

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Authenticates with a signed assertion (RFC 7523, section 2.2). */
export function createPrivateKeyJwtAuth(options: PrivateKeyJwtOptions): AddClientAuthentication {
  return async (_headers, params, url, metadata) => {
    const { issuer, subject, privateKey, alg, audience, lifetimeSeconds = 300, claims } = options;
    const { importJWK, importPKCS8, SignJWT } = await import("jose");
    const key =
      typeof privateKey === "string"
        ? await importPKCS8(privateKey, alg)
        : privateKey instanceof Uint8Array
          ? privateKey
          : await importJWK(privateKey as JWK, alg);
    const now = Math.floor(Date.now() / 1_000);
    const assertion = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg, typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(String(audience ?? metadata?.issuer ?? url))
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .setJti(crypto.randomUUID())
      .sign(key);
    params.set("client_assertion", assertion);
    params.set("client_assertion_type", assertionType);
  };
}
