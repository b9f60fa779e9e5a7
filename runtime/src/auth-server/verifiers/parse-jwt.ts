import { readJsonSegment } from "../json-segment.js";
import { InvalidTokenError } from "../token-errors.js";

type Members = Readonly<Record<string, unknown>>;

/** The parts of a JWT, before its signature is verified. */
export interface ParsedJwt {
  readonly algorithm: string;
  /** The `kid` of its header. */
  readonly keyId: string | undefined;
  /** The `typ` of its header, without `application/`, in lower case. */
  readonly type: string | undefined;
  readonly claims: Members;
}

/**
 * Three parts; the signature of an unsigned token is empty. The unused bits at its end, which nothing signs, are 0, so that a token has
 * one text: caches and lists of revoked tokens compare texts (RFC 4648, section 3.5).
 */
const syntax = /^([\w-]+)\.([\w-]+)\.(?:[\w-]{4})*(?:[\w-]{2}[AEIMQUYcgkosw048]|[\w-][AQgw])?$/;
const jsonLimits = { maxDepth: 32, maxValues: 20_000 };

/**
 * Parses a signed JWT (RFC 7519, section 7.2), without verifying it. Of equal names of members the last one counts, as in the
 * verification of the signature.
 * @throws InvalidTokenError `malformed`, `algorithm`
 */
export function parseJwt(token: string, algorithms: ReadonlySet<string>): ParsedJwt {
  const [, first, second] = syntax.exec(token) ?? [];
  if (first === undefined || second === undefined)
    throw malformed(
      token.split(".", 6).length === 5 ? "is encrypted (JWE), which this server does not accept" : "is not a JWT",
    );
  const header = decode(first);
  const { alg, kid, typ } = header as { readonly alg?: unknown; readonly kid?: unknown; readonly typ?: unknown };
  if (typeof alg !== "string" || !algorithms.has(alg))
    throw new InvalidTokenError("algorithm", "the signature algorithm of the token is not accepted");
  // No extension is implemented (RFC 7515, section 4.1.11).
  if (Object.hasOwn(header, "crit")) throw malformed("has critical header parameters, of which none is supported");
  if (kid !== undefined && typeof kid !== "string") throw malformed("has a kid that is not a string");
  if (typ !== undefined && typeof typ !== "string") throw malformed("has a typ that is not a string");
  return {
    algorithm: alg,
    keyId: kid,
    type: typ === undefined ? undefined : mediaSubtype(typ),
    claims: decode(second),
  };
}

/** The value of a `typ` without the prefix that may be left out (RFC 7515, section 4.1.9). */
export function mediaSubtype(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, "");
}

function decode(segment: string): Members {
  const members = readJsonSegment(segment, jsonLimits);
  if (members) return members;
  throw malformed("is not a JWT: its header and its claims must be JSON objects in base64url");
}

function malformed(problem: string): InvalidTokenError {
  return new InvalidTokenError("malformed", `the token ${problem}`);
}
