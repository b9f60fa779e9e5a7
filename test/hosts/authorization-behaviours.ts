import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { type Behaviour, failure, same, type Stage } from "./behaviour.js";
import { protectedPath, resource, tokenPath } from "./protected-paths.js";

const session = "2025-11-25";
const stateless = "2026-07-28";

/** A key of a client, whose proofs show that it has it (RFC 9449). */
interface ProofKey {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

/** What a protected server does, with the parts of the packages that need cryptography. */
export const authorizationBehaviours: readonly Behaviour[] = [
  {
    name: "serves senders of verified tokens, and checks the scopes of each tool",
    revisions: [session, stateless],
    async run({ open, url }) {
      const at = new URL(protectedPath, url).href;
      const authorization = `Bearer ${await issue(url, "use")}`;
      const { call } = await open({ at, transport: { requestInit: { headers: { authorization } } } });
      same("the subject that the tool received", await call("subject"), "ada");
      same("whether a tool that needs more is called", (await failure(call("delete"))) === undefined, false);
      same("a further call", await call("subject"), "ada");
      const more = { authorization: `Bearer ${await issue(url, "use delete")}` };
      const admin = await open({ at, transport: { requestInit: { headers: more } } });
      same("the result with the other scope", await admin.call("delete"), true);
    },
  },
  {
    name: "rejects requests without a valid token, with a challenge",
    revisions: [session],
    async run({ url }) {
      const token = await issue(url, "use");
      const [head = "", body = "", signature = ""] = token.split(".");
      const flipped = `${head}.${body}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
      const rows: readonly (readonly [string, Readonly<Record<string, string>>, number, string | undefined])[] = [
        ["no token", {}, 401, undefined],
        ["a token with another signature", bearer(flipped), 401, "invalid_token"],
        ["a text that is not a token", bearer("x"), 401, "invalid_token"],
        ["a token that lacks the scope", bearer(await issue(url, "other")), 403, "insufficient_scope"],
        ["two tokens", { authorization: `Bearer ${token}, Bearer ${token}` }, 400, "invalid_request"],
        ["a valid token", bearer(token), 200, undefined],
      ];
      for (const [what, headers, status, error] of rows) {
        const response = await initialize(url, headers);
        same(`the status for ${what}`, response.status, status);
        same(`the error for ${what}`, errorOf(response), error);
      }
    },
  },
  {
    name: "accepts each proof of a bound token once, with its own nonce",
    revisions: [session],
    async run({ url }) {
      const key = await newKey();
      const token = await issue(url, "use", await calculateJwkThumbprint(key.jwk));
      const send = (dpop: string): Promise<Response> => initialize(url, { authorization: `DPoP ${token}`, dpop });
      const without = await send(await proofOf(key, token));
      same("the error without a nonce", errorOf(without), "use_dpop_nonce");
      const nonce = without.headers.get("dpop-nonce") ?? "";
      const proof = await proofOf(key, token, nonce);
      same("the status with the nonce", (await send(proof)).status, 200);
      same("the error of the same proof", errorOf(await send(proof)), "invalid_dpop_proof");
      same(
        "the error of another key",
        errorOf(await send(await proofOf(await newKey(), token, nonce))),
        "invalid_dpop_proof",
      );
      same("the error as a bearer token", errorOf(await initialize(url, bearer(token))), "invalid_token");
    },
  },
];

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** Gets a token. @param jkt the thumbprint of the key that it is bound to */
async function issue(url: string, scope: string, jkt?: string): Promise<string> {
  const at = new URL(tokenPath, url);
  at.search = new URLSearchParams({ scope, ...(jkt !== undefined && { jkt }) }).toString();
  return (await fetch(at)).text();
}

/** Opens a session at the protected server. */
async function initialize(url: Stage["url"], headers: Readonly<Record<string, string>>): Promise<Response> {
  const params = { protocolVersion: session, capabilities: {}, clientInfo: { name: "suite", version: "1.0.0" } };
  const response = await fetch(new URL(protectedPath, url), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  await response.text();
  return response;
}

/** The error that the challenges of a response name. */
function errorOf({ headers }: Response): string | undefined {
  return /error="(\w+)"/.exec(headers.get("www-authenticate") ?? "")?.[1];
}

async function newKey(): Promise<ProofKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { privateKey, jwk: await exportJWK(publicKey) };
}

async function proofOf({ jwk, privateKey }: ProofKey, token: string, nonce?: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const ath = btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  return new SignJWT({
    htm: "POST",
    htu: resource,
    ath,
    jti: crypto.randomUUID(),
    ...(nonce !== undefined && { nonce }),
  })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
    .setIssuedAt()
    .sign(privateKey);
}
