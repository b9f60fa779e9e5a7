import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { httpServer } from "../../shared/sessions/places.js";

/** An authorization server, as far as servers need it that verify tokens. */
export interface Issuer {
  readonly url: string;
  /** The secret of the client `gateway`, which may ask about tokens. */
  readonly secret: string;
  /** The opaque tokens that it knows, with their members. */
  readonly opaque: Map<string, { readonly scope: string; readonly aud: string }>;
  /** Whether it responds. */
  isUp: boolean;
  /** The paths that were requested. */
  readonly requested: string[];
  /** A JWT of a user. @param claims added to those of a valid token, or in place of them */
  jwt(audience: string, scope: string, claims?: object): Promise<string>;
}

/** Starts an authorization server until the test has finished. */
export async function issuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256", use: "sig" }];
  const secret = "secret-of-the-gateway";
  const opaque = new Map<string, { readonly scope: string; readonly aud: string }>();
  const requested: string[] = [];
  const url = new URL(
    await httpServer((request, response) => {
      const { url: path = "", headers, method } = request;
      requested.push(path);
      const reply = (status: number, body: object): void =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (!server.isUp) return reply(503, {});
      if (path === "/keys") return reply(200, { keys });
      if (path.startsWith("/.well-known/"))
        return reply(200, {
          issuer: server.url,
          jwks_uri: `${server.url}/keys`,
          introspection_endpoint: `${server.url}/introspect`,
        });
      if (path !== "/introspect" || method !== "POST") return reply(404, {});
      if (headers.authorization !== `Basic ${btoa(`gateway:${secret}`)}`)
        return reply(401, { error: "invalid_client" });
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const members = opaque.get(new URLSearchParams(body).get("token") ?? "");
        if (!members) return reply(200, { active: false });
        reply(200, { active: true, iss: server.url, sub: "ann", client_id: "c", exp: soon(), ...members });
      });
    }),
  ).origin;
  const server: Issuer = {
    url,
    secret,
    opaque,
    requested,
    isUp: true,
    jwt: (audience, scope, claims = {}) =>
      new SignJWT({
        iss: url,
        aud: audience,
        sub: "ann",
        client_id: "c",
        scope,
        iat: soon() - 600,
        exp: soon(),
        ...claims,
      })
        .setProtectedHeader({ alg: "ES256", kid: "1", typ: "at+jwt" })
        .sign(privateKey),
  };
  return server;
}

function soon(): number {
  return Math.floor(Date.now() / 1000) + 600;
}
