import type { webcrypto } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { signatureAlgorithms } from "../../../../runtime/src/auth-server/signature-algorithms.js";
import type { DpopOptions } from "../../../../runtime/src/auth-server/dpop/dpop-options.js";
import { DpopProofs, type ProvenRequest } from "../../../../runtime/src/auth-server/dpop/dpop-proofs.js";
import { sha256 } from "../../auth/dpop-checks.js";

export const resource = new URL("https://mcp.example/mcp");
export const token = "token-1";

export type Members = Readonly<Record<string, unknown>>;

/** Makes proofs, also ones that no client should make. */
export class ProofMaker {
  private constructor(
    readonly alg: string,
    readonly keys: webcrypto.CryptoKeyPair,
    readonly publicJwk: JWK,
    readonly privateJwk: JWK,
    readonly thumbprint: string,
  ) {}

  static async create(alg = "ES256", options: { readonly modulusLength?: number } = {}): Promise<ProofMaker> {
    const keys = await generateKeyPair(alg, { extractable: true, ...options });
    const publicJwk = await exportJWK(keys.publicKey);
    return new ProofMaker(
      alg,
      keys,
      publicJwk,
      await exportJWK(keys.privateKey),
      await calculateJwkThumbprint(publicJwk),
    );
  }

  /** The claims of a proof for a POST request to `resource` with `token`. */
  async claims(changes: Members = {}): Promise<Members> {
    return {
      htm: "POST",
      htu: resource.href,
      iat: Math.floor(Date.now() / 1_000),
      jti: crypto.randomUUID(),
      ath: await sha256(token),
      ...changes,
    };
  }

  header(changes: Members = {}): Members {
    return { typ: "dpop+jwt", alg: this.alg, jwk: this.publicJwk, ...changes };
  }

  /** A valid proof, but for the changes; members that are undefined are left out. */
  async proof(claims: Members = {}, header: Members = {}): Promise<string> {
    return this.sign(encode(JSON.stringify(this.header(header))), encode(JSON.stringify(await this.claims(claims))));
  }

  async sign(header: string, payload: string): Promise<string> {
    const signed = `${header}.${payload}`;
    const params = signatureAlgorithms.get(this.alg)?.verifyParams as webcrypto.AlgorithmIdentifier;
    const signature = await crypto.subtle.sign(params, this.keys.privateKey, new TextEncoder().encode(signed));
    return `${signed}.${encode(new Uint8Array(signature))}`;
  }

  /** The request that the valid proof is made for. */
  request(changes: Partial<ProvenRequest> = {}): ProvenRequest {
    return { method: "POST", path: "/mcp", token, keyThumbprint: this.thumbprint, ...changes };
  }
}

export function encode(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64url");
}

export const createProofs = (options: DpopOptions = {}): DpopProofs => new DpopProofs(options, resource);
