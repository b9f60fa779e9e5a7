import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from "jose";
import type { SeenRequest } from "./fake-network.js";

/** Why a server rejects a DPoP proof. */
export class DpopProblem extends Error {
  constructor(
    readonly code: "invalid_dpop_proof" | "use_dpop_nonce",
    message: string,
  ) {
    super(message);
  }
}

/** Checks DPoP proofs strictly (RFC 9449, section 4.3), as authorization servers and MCP servers do. */
export class DpopChecks {
  /** The nonce that proofs must have; undefined when none is demanded. */
  nonce: string | undefined;
  readonly #seen = new Set<string>();

  /**
   * Returns the thumbprint of the proof's key; undefined when the request has no proof.
   * @throws DpopProblem when the proof is not valid
   */
  async thumbprint(request: SeenRequest, accessToken?: string): Promise<string | undefined> {
    const proof = request.headers.get("dpop");
    if (proof === null) return undefined;
    try {
      return await this.#verify(request, proof, accessToken);
    } catch (error) {
      if (error instanceof DpopProblem) throw error;
      throw new DpopProblem("invalid_dpop_proof", String(error));
    }
  }

  async #verify(request: SeenRequest, proof: string, accessToken: string | undefined): Promise<string> {
    const { jwk } = decodeProtectedHeader(proof);
    if (!jwk || "d" in jwk)
      throw new DpopProblem("invalid_dpop_proof", "the header has no public key, or a private one");
    const { payload } = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt", algorithms: ["ES256"] });
    const { jti, htm, htu, iat, ath, nonce } = payload as Readonly<Record<string, unknown>>;
    const expected = `${request.url.origin}${request.url.pathname}`;
    if (htm !== request.method) throw new DpopProblem("invalid_dpop_proof", `htm is ${String(htm)}`);
    if (htu !== expected) throw new DpopProblem("invalid_dpop_proof", `htu is ${String(htu)}, not ${expected}`);
    if (typeof iat !== "number" || Math.abs(iat - Date.now() / 1000) > 300)
      throw new DpopProblem("invalid_dpop_proof", `iat is ${String(iat)}`);
    if (typeof jti !== "string" || this.#seen.has(jti)) throw new DpopProblem("invalid_dpop_proof", "jti is not new");
    this.#seen.add(jti);
    if (accessToken !== undefined && ath !== (await sha256(accessToken)))
      throw new DpopProblem("invalid_dpop_proof", "ath is not that of the token");
    if (this.nonce !== undefined && nonce !== this.nonce)
      throw new DpopProblem("use_dpop_nonce", `nonce is ${String(nonce)}`);
    return calculateJwkThumbprint(jwk);
  }
}

/** Returns the SHA-256 digest of a text in base64url. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("base64url");
}
