import { calculateJwkThumbprint } from "jose";
import { isObject } from "../../jsonrpc/guards.js";
import { type SignatureAlgorithm, signatureAlgorithms } from "../signature-algorithms.js";
import { InvalidTokenError } from "../token-errors.js";
import { readJsonSegment } from "../json-segment.js";

/** The members of a JWK that belong to private and symmetric keys (RFC 7518, section 6). */
const secretMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];
/** The base64url texts of moduli of 2,048 to 4,096 bits, and of exponents of at most four bytes: others take too long to verify. */
const rsaModulus = /^[\w-]{342,683}$/;
const rsaExponent = /^[\w-]{2,6}$/;
const coordinate = /^[\w-]{43,88}$/;

/** The key of a proof and how it verifies signatures, all of which the header of the proof contains. */
export interface ProofKey {
  /** The SHA-256 thumbprint of the key (RFC 7638), in base64url. */
  readonly thumbprint: string;
  verify(signature: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

/**
 * Reads the header of a proof and imports its public key (RFC 9449, section 4.3, checks 4, 5 and 7).
 * @param segment the first part of the proof
 * @throws InvalidTokenError `proof` when the header is not valid
 */
export async function readProofKey(segment: string, algorithms: readonly string[]): Promise<ProofKey> {
  const header = readJsonSegment(segment);
  if (!header) throw invalid("its header is not a JSON object");
  const { typ, alg, jwk, crit, b64 } = header;
  if (typ !== "dpop+jwt") throw invalid('its typ must be "dpop+jwt"');
  const algorithm = typeof alg === "string" && algorithms.includes(alg) ? signatureAlgorithms.get(alg) : undefined;
  if (!algorithm) throw invalid(`its alg must be one of ${algorithms.join(", ")}`);
  if (crit !== undefined || b64 !== undefined) throw invalid("its header has crit or b64, which are not supported");
  const publicJwk = readPublicJwk(jwk, algorithm, alg);
  const thumbprint = await calculateJwkThumbprint(publicJwk);
  const { importParams, verifyParams } = algorithm;
  try {
    const key = await crypto.subtle.importKey("jwk", publicJwk, importParams, false, ["verify"]);
    return {
      thumbprint,
      verify: (signature, signed) => crypto.subtle.verify(verifyParams, key, signature, signed),
    };
  } catch (cause) {
    throw invalid("its jwk is not a valid public key", { cause });
  }
}

/** Returns the members that make up a public key, without others that WebCrypto might interpret. */
function readPublicJwk(jwk: unknown, { kty, crv }: SignatureAlgorithm, alg: unknown): JsonWebKey & { kty: string } {
  if (!isObject(jwk)) throw invalid("its header has no jwk");
  if (secretMembers.some((name) => Object.hasOwn(jwk, name))) throw invalid("its jwk contains a private or secret key");
  const { x, y, n, e } = jwk;
  const fits =
    jwk["kty"] === kty &&
    jwk["crv"] === crv &&
    (jwk["alg"] === undefined || jwk["alg"] === alg) &&
    (jwk["use"] === undefined || jwk["use"] === "sig") &&
    (jwk["key_ops"] === undefined || (Array.isArray(jwk["key_ops"]) && jwk["key_ops"].includes("verify")));
  if (fits && kty === "RSA" && matches(n, rsaModulus) && matches(e, rsaExponent)) return { kty, n, e };
  if (fits && crv !== undefined && matches(x, coordinate)) {
    if (kty === "OKP") return { kty, crv, x };
    if (matches(y, coordinate)) return { kty, crv, x, y };
  }
  throw invalid(`its jwk is not a public key for ${String(alg)}`);
}

function matches(value: unknown, syntax: RegExp): value is string {
  return typeof value === "string" && syntax.test(value);
}

/** Says why a proof is not accepted. */
export function invalid(problem: string, options?: ErrorOptions): InvalidTokenError {
  return new InvalidTokenError("proof", `The DPoP proof is not valid: ${problem}`, options);
}
