import { invalid } from "./proof-key.js";

const maxIdLength = 256;

/** The claims of a proof that are checked before its signature. */
export interface ProofClaims {
  readonly method: string;
  readonly target: string;
  readonly id: string;
  /** In seconds since 1970. */
  readonly issuedAt: number;
  readonly tokenHash: string;
  readonly nonce: string | undefined;
}

/**
 * Reads the claims that every proof for a protected resource has, and checks its times (RFC 9449, sections 4.2 and 4.3, checks 3
 * and 11).
 * @throws InvalidTokenError `proof` when one is missing, has the wrong type, or is not valid now
 */
export function readProofClaims(payload: Readonly<Record<string, unknown>>, maxAgeSeconds: number): ProofClaims {
  const { htm, htu, jti, iat, ath, nonce } = payload;
  if (typeof htm !== "string") throw invalid("its htm must be the method of the request");
  if (typeof htu !== "string") throw invalid("its htu must be the URL of the request, without query and fragment");
  if (typeof jti !== "string" || jti === "" || jti.length > maxIdLength)
    throw invalid(`its jti must be a string of 1 to ${maxIdLength} characters`);
  if (typeof ath !== "string") throw invalid("its ath must be the SHA-256 hash of the access token, in base64url");
  if (nonce !== undefined && typeof nonce !== "string") throw invalid("its nonce must be a string");
  return { method: htm, target: htu, id: jti, issuedAt: readTimes(payload, iat, maxAgeSeconds), tokenHash: ath, nonce };
}

function readTimes({ exp, nbf }: Readonly<Record<string, unknown>>, iat: unknown, maxAgeSeconds: number): number {
  const now = Date.now() / 1_000;
  if (typeof iat !== "number") throw invalid("its iat must be the time at which it was made, in seconds since 1970");
  if (iat < now - maxAgeSeconds) throw invalid(`its iat is more than ${maxAgeSeconds} seconds ago; make a new one`);
  if (iat > now + maxAgeSeconds)
    throw invalid(`its iat is more than ${maxAgeSeconds} seconds in the future; set the clock of the client`);
  // Proofs need not have these two, but they keep their meaning (RFC 7519, section 4.1).
  if (exp !== undefined && !(typeof exp === "number" && exp > now)) throw invalid("it has expired (exp)");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= now + maxAgeSeconds))
    throw invalid("it is not valid yet (nbf)");
  return iat;
}
