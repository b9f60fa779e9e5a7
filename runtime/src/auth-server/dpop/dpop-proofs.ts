import { SdkError } from "../../jsonrpc/errors.js";
import { sha256 } from "../../auth/tokens/sha256.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import { isPromiseLike } from "../../timing/is-promise-like.js";
import { decodeBase64url } from "../base64url.js";
import { readJsonSegment } from "../json-segment.js";
import { signatureAlgorithms } from "../signature-algorithms.js";
import { InvalidTokenError } from "../token-errors.js";
import { ComputedCache } from "./computed-cache.js";
import { DpopNonceError } from "./dpop-nonce-error.js";
import type { DpopOptions } from "./dpop-options.js";
import { MemoryReplayStore } from "./memory-replay-store.js";
import { DpopNonces } from "./nonces.js";
import { readProofClaims } from "./proof-claims.js";
import { invalid, type ProofKey, readProofKey } from "./proof-key.js";
import { ProofTargets } from "./proof-target.js";
import { UsedProofs } from "./used-proofs.js";

const maxProofLength = 4_096;
/** The header of a proof with an RSA key of 4,096 bits has about 1,100 characters. */
const maxHeaderLength = 2_048;
const defaultMaxAgeSeconds = 300;
const defaultReplayTimeoutMs = 5_000;
const maxCachedKeys = 10_000;
const maxCachedHashes = 10_000;
/**
 * Three non-empty segments of base64url (RFC 7515, section 7.1). The unused bits at the end of the third, which nothing signs, are 0, so
 * that each signature has one text (RFC 4648, section 3.5).
 */
const compactJws = /^([\w-]+)\.([\w-]+)\.((?:[\w-]{4})*(?:[\w-]{4}|[\w-]{2}[AEIMQUYcgkosw048]|[\w-][AQgw]))$/;

const encoder = /* @__PURE__ */ new TextEncoder();

/** The request that a proof was made for. */
export interface ProvenRequest {
  readonly method: string;
  /** The received path. */
  readonly path: string;
  /** The access token of the request. */
  readonly token: string;
  /** The thumbprint of the key that the token is bound to (`cnf.jkt`). */
  readonly keyThumbprint: string;
}

/** Verifies the DPoP proofs of requests to one MCP server (RFC 9449, section 4.3). */
export class DpopProofs {
  /** The accepted signature algorithms. */
  readonly algorithms: readonly string[];
  readonly #maxAgeSeconds: number;
  readonly #targets: ProofTargets;
  readonly #used: UsedProofs;
  readonly #nonces: DpopNonces | undefined;
  /** The keys by the header of the proof, which is the same in all proofs of a client: importing one takes longer than verifying. */
  readonly #keys = new ComputedCache<ProofKey>(maxCachedKeys);
  readonly #tokenHashes = new ComputedCache<string>(maxCachedHashes);

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(options: DpopOptions, resource: URL) {
    assertNumberOptions(options);
    const {
      algorithms = [...signatureAlgorithms.keys()],
      maxAgeSeconds = defaultMaxAgeSeconds,
      nonces = false,
    } = options;
    const { replayStore = new MemoryReplayStore(), replayTimeoutMs = defaultReplayTimeoutMs } = options;
    const unknown = algorithms.filter((name) => !signatureAlgorithms.has(name));
    if (unknown.length > 0 || algorithms.length === 0)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `dpop.algorithms must be some of ${[...signatureAlgorithms.keys()].join(", ")}; got ${unknown.join(", ") || "none"}`,
      );
    if (!(maxAgeSeconds > 0 && maxAgeSeconds < Infinity))
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `dpop.maxAgeSeconds must be more than 0 and finite, not ${maxAgeSeconds}`,
      );
    this.algorithms = [...algorithms];
    this.#maxAgeSeconds = maxAgeSeconds;
    this.#targets = new ProofTargets(resource);
    this.#used = new UsedProofs(replayStore, replayTimeoutMs);
    if (nonces !== false) this.#nonces = new DpopNonces(nonces === true ? undefined : nonces, resource);
  }

  /** Returns the newest nonce, for the header `DPoP-Nonce` of every response; undefined when proofs need none. */
  nonce(): string | undefined | Promise<string | undefined> {
    return this.#nonces?.newest();
  }

  /**
   * Verifies the proof of one request. A proof is accepted once.
   * @param proof the value of the header `DPoP`; of several headers, all values joined by `, `
   * @throws DpopNonceError when it lacks the nonce of this server, or has an old one
   * @throws InvalidTokenError `proof` when it is missing or not valid
   * @throws TokenVerificationError when the replay store fails or is full
   */
  async verify(proof: string | undefined, request: ProvenRequest): Promise<void> {
    const { method, path, token, keyThumbprint } = request;
    if (proof === undefined)
      throw new InvalidTokenError(
        "proof",
        "The access token is bound to a key (RFC 9449), but the request has no DPoP header with a proof of it",
      );
    if (proof.length > maxProofLength) throw invalid(`it has more than ${maxProofLength} characters`);
    if (proof.includes(",")) throw invalid("the request has more than one DPoP header");
    const [, header, body, signature] = compactJws.exec(proof) ?? [];
    if (header === undefined || body === undefined || signature === undefined)
      throw invalid("it is not a JWS in compact form");
    const payload = readJsonSegment(body);
    if (!payload) throw invalid("its payload is not a JSON object");
    // Keys and hashes in memory are not awaited, so that only the signature is.
    const found = this.#key(header);
    const key = isPromiseLike(found) ? await found : found;
    if (key.thumbprint !== keyThumbprint)
      throw invalid("it was made with another key than the one that the token is bound to");
    const claims = readProofClaims(payload, this.#maxAgeSeconds);
    if (claims.method !== method) throw invalid(`its htm is not the method of the request, ${method}`);
    if (!this.#targets.matches(claims.target, path)) throw invalid("its htu is not the URL of the request");
    const hash = this.#tokenHashes.get(token, sha256);
    if (claims.tokenHash !== (isPromiseLike(hash) ? await hash : hash))
      throw invalid("its ath is not the hash of the access token of the request");
    if (this.#nonces) await checkNonce(this.#nonces, claims.nonce);
    const signed = proof.slice(0, header.length + 1 + body.length);
    let isSigned: boolean;
    try {
      isSigned = await key.verify(decodeBase64url(signature), encoder.encode(signed));
    } catch (cause) {
      throw invalid("its signature is not one of its alg", { cause });
    }
    if (!isSigned) throw invalid("its signature does not match");
    const expiresAt = Math.floor((claims.issuedAt + this.#maxAgeSeconds) * 1_000) + 1;
    const isNew = this.#used.use(keyThumbprint, claims.id, expiresAt);
    if (!(isPromiseLike(isNew) ? await isNew : isNew))
      throw invalid("its jti was used before; every request needs a new proof");
  }

  #key(header: string): ProofKey | Promise<ProofKey> {
    if (header.length > maxHeaderLength) throw invalid(`its header has more than ${maxHeaderLength} characters`);
    return this.#keys.get(header, this.#readKey);
  }

  readonly #readKey = (header: string): Promise<ProofKey> => readProofKey(header, this.algorithms);
}

/** @throws DpopNonceError */
async function checkNonce(nonces: DpopNonces, nonce: string | undefined): Promise<void> {
  if (nonce !== undefined && (await nonces.accepts(nonce))) return;
  const problem = nonce === undefined ? "has no nonce" : "has an old nonce";
  throw new DpopNonceError(`The DPoP proof ${problem}; repeat the request with that of the header DPoP-Nonce`);
}
