import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export const issuer = "https://auth.example.com";
/** Not the address of the server: requests reach it through a proxy. */
export const resource = "https://mcp.example.com/mcp";

/** The headers with which a client of the load generator shows that it may call. */
export interface Credentials {
  /** Makes the headers of the next requests, outside of the measurement. */
  prepare(requests: number): Promise<void>;
  /** Returns the header lines of one request. */
  next(): string;
}

/** An authorization server's key, and the clients to which it has issued tokens. */
export class Issuer {
  private constructor(
    readonly jwks: { readonly keys: readonly JWK[] },
    readonly privateKey: Parameters<SignJWT["sign"]>[0],
  ) {}

  static async create(): Promise<Issuer> {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    return new Issuer(
      { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" }] },
      privateKey,
    );
  }

  async bearer(): Promise<Credentials> {
    const line = `Authorization: Bearer ${await this.#token({})}\r\n`;
    return { prepare: () => Promise.resolve(), next: () => line };
  }

  async dpop(): Promise<Credentials> {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwk = await exportJWK(publicKey);
    const token = await this.#token({ cnf: { jkt: await calculateJwkThumbprint(jwk) } });
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
    const ath = Buffer.from(digest).toString("base64url");
    const proof = (): Promise<string> =>
      new SignJWT({ htm: "POST", htu: resource, ath, jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
        .setIssuedAt()
        .sign(privateKey);
    const proofs: string[] = [];
    return {
      async prepare(requests) {
        while (proofs.length < requests) proofs.push(...(await Promise.all(Array.from({ length: 64 }, proof))));
      },
      next() {
        const made = proofs.pop();
        if (made === undefined) throw new Error("no proof was prepared for this request");
        return `Authorization: DPoP ${token}\r\nDPoP: ${made}\r\n`;
      },
    };
  }

  #token(claims: object): Promise<string> {
    return new SignJWT({ client_id: "bench", scope: "book", jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "one" })
      .setIssuer(issuer)
      .setSubject("ada")
      .setAudience(resource)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(this.privateKey);
  }
}
