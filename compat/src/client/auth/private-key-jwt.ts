import type { JWK, SignJWT } from "jose";
import type { AddClientAuthentication } from "./provider.js";

export interface PrivateKeyJwtOptions {
  issuer: string;
  subject: string;
  /** A key of PKCS #8 as PEM, a JWK, or for the algorithms `HS…` a secret. */
  privateKey: string | Uint8Array | Record<string, unknown>;
  alg: string;
  /** Default: the issuer in the metadata, else the token endpoint. */
  audience?: string | URL;
  /** Default: 300. */
  lifetimeSeconds?: number;
  claims?: Record<string, unknown>;
}

async function importKey({ privateKey, alg }: PrivateKeyJwtOptions): Promise<Parameters<SignJWT["sign"]>[0]> {
  const { importJWK, importPKCS8 } = await import("jose");
  const isSecret = alg.startsWith("HS");
  if (privateKey instanceof Uint8Array)
    return isSecret ? privateKey : importPKCS8(new TextDecoder().decode(privateKey), alg);
  if (typeof privateKey !== "string") return importJWK(privateKey as JWK, alg);
  if (isSecret) return new TextEncoder().encode(privateKey);
  if (/^(?:RS|ES|PS)/.test(alg)) return importPKCS8(privateKey, alg);
  throw new Error(`Unsupported algorithm ${alg}`);
}

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Authenticates with a signed assertion (RFC 7523, section 2.2). */
export function createPrivateKeyJwtAuth(options: PrivateKeyJwtOptions): AddClientAuthentication {
  return async (_headers, params, url, metadata) => {
    const { issuer, subject, alg, audience, lifetimeSeconds = 300, claims } = options;
    const { SignJWT } = await import("jose");
    const key = await importKey(options);
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
