/** HTTP requests with proofs that are wrong: their responses, and that no tool runs. */
import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type DpopOptions, MemoryReplayStore, requireBearerAuth } from "../../../../runtime/src/auth-server.js";
import { type Challenge, parseChallenges } from "../../../../runtime/src/auth/discovery/challenge.js";
import { serveHttp } from "../../../../runtime/src/node.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { factsWith, issuer } from "../requests.js";
import { freePort } from "../../../../scripts/free-port.js";
import { type Members, ProofMaker, token } from "./proof-maker.js";

let maker: ProofMaker;
let other: ProofMaker;
let calls: number;

beforeAll(async () => void ([maker, other] = await Promise.all([ProofMaker.create(), ProofMaker.create()])));
beforeEach(() => void (calls = 0));

interface Answer {
  readonly status: number | undefined;
  readonly nonce: string | undefined;
  readonly retryAfter: string | undefined;
  readonly challenges: readonly Challenge[];
  readonly body: string;
}

interface Headers {
  readonly authorization?: string;
  readonly dpop?: string | readonly string[];
}

/** A server for one token, which is bound to the key of `maker`. */
async function start(dpop: boolean | DpopOptions = { required: true }) {
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const facts = factsWith({ audience: [resource], keyThumbprint: maker.thumbprint });
  const verifier = { issuers: [issuer], cacheMs: Infinity, verifyAccessToken: () => facts };
  const authorization = requireBearerAuth({ resource, verifier, dpop, onerror: () => undefined });
  const server = new McpServer({ name: "protected", version: "1.0.0" });
  server.registerTool("count", {}, () => ({ content: [{ type: "text", text: String(++calls) }] }));
  const served = await serveHttp(server, { port, authorization, sessions: false });
  onTestFinished(() => served.close());
  const send = async ({ authorization: credentials = `DPoP ${token}`, dpop: proof }: Headers): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "count" } });
    const request = httpRequest(resource, {
      method: "POST",
      agent: false,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        authorization: credentials,
        ...(proof !== undefined && { dpop: typeof proof === "string" ? proof : [...proof] }),
      },
    });
    const [response] = (await once(request.end(body), "response")) as [IncomingMessage];
    const { headers, statusCode: status } = response;
    return {
      status,
      nonce: headers["dpop-nonce"] as string | undefined,
      retryAfter: headers["retry-after"],
      challenges: parseChallenges(headers["www-authenticate"] ?? ""),
      body: await text(response),
    };
  };
  return { send, proof: (claims: Members = {}) => maker.proof({ htu: resource, ...claims }), resource };
}

const errorOf = ({ challenges }: Answer): readonly unknown[] =>
  challenges.map(({ scheme, parameters }) => [scheme, parameters["error"], parameters["error_description"]]);

describe("a request with a bound token is rejected, and no tool runs,", () => {
  type World = Awaited<ReturnType<typeof start>>;
  const missing =
    "The access token is bound to a key (RFC 9449), but the request has no DPoP header with a proof of it";
  const problem = (text: string): string => `The DPoP proof is not valid: ${text}`;

  test.each<[string, (world: World) => Promise<Headers>, string, string]>([
    ["without proof", () => Promise.resolve({}), "invalid_dpop_proof", missing],
    [
      "with an empty proof",
      () => Promise.resolve({ dpop: "" }),
      "invalid_dpop_proof",
      problem("it is not a JWS in compact form"),
    ],
    [
      "with two proofs",
      async ({ proof }) => ({ dpop: [await proof(), await proof()] }),
      "invalid_dpop_proof",
      problem("the request has more than one DPoP header"),
    ],
    [
      "with one proof twice",
      async ({ proof }) => {
        const same = await proof();
        return { dpop: [same, same] };
      },
      "invalid_dpop_proof",
      problem("the request has more than one DPoP header"),
    ],
    [
      "with a proof for another method",
      async ({ proof }) => ({ dpop: await proof({ htm: "GET" }) }),
      "invalid_dpop_proof",
      problem("its htm is not the method of the request, POST"),
    ],
    [
      "with a proof for another server",
      async ({ proof }) => ({ dpop: await proof({ htu: "https://mcp.example/mcp" }) }),
      "invalid_dpop_proof",
      problem("its htu is not the URL of the request"),
    ],
    [
      "with a proof of another key",
      async ({ resource }) => ({ dpop: await other.proof({ htu: resource }) }),
      "invalid_dpop_proof",
      problem("it was made with another key than the one that the token is bound to"),
    ],
  ])("%s", async (_title, headers, error, description) => {
    const world = await start();
    const answer = await world.send(await headers(world));
    expect(answer.status).toBe(401);
    expect(errorOf(answer)).toEqual([["DPoP", error, description]]);
    expect(calls).toBe(0);
    expect((await world.send({ dpop: await world.proof() })).status).toBe(200);
  });

  test("with the scheme Bearer, also with a proof", async () => {
    const { send, proof } = await start();
    for (const dpop of [undefined, await proof()]) {
      const answer = await send({ authorization: `Bearer ${token}`, ...(dpop !== undefined && { dpop }) });
      expect(answer.status).toBe(401);
      expect(JSON.stringify(answer)).not.toContain(token);
    }
    expect(calls).toBe(0);
  });

  test("with a proof that was used before", async () => {
    const { send, proof } = await start();
    const dpop = await proof();
    expect((await send({ dpop })).status).toBe(200);
    const answers = await Promise.all([1, 2, 3].map(() => send({ dpop })));
    for (const answer of answers)
      expect(errorOf(answer)).toEqual([
        ["DPoP", "invalid_dpop_proof", problem("its jti was used before; every request needs a new proof")],
      ]);
    expect(calls).toBe(1);
  });

  test("with a proof without the nonce of the server, which the response contains", async () => {
    const { send, proof } = await start({ required: true, nonces: true });
    for (const nonce of [undefined, "of another server"]) {
      const answer = await send({ dpop: await proof({ nonce }) });
      expect(answer.status).toBe(401);
      expect(answer.nonce).toMatch(/^[\w-]{24}$/);
      expect(errorOf(answer)).toMatchObject([
        ["DPoP", "use_dpop_nonce", expect.stringContaining("DPoP-Nonce") as string],
      ]);
      const repeated = await send({ dpop: await proof({ nonce: answer.nonce }) });
      expect([repeated.status, repeated.nonce]).toEqual([200, answer.nonce]);
    }
    expect(calls).toBe(2);
  });

  test("while the store of proof ids is full or fails: 503, and the client may try again", async () => {
    const full = await start({ replayStore: new MemoryReplayStore({ maxIds: 1 }) });
    expect((await full.send({ dpop: await full.proof() })).status).toBe(200);
    const broken = await start({ replayStore: { add: () => Promise.reject(new Error("away")) } });
    for (const { send, proof } of [full, broken]) {
      const answer = await send({ dpop: await proof() });
      expect([answer.status, answer.challenges]).toEqual([503, []]);
      expect(Number(answer.retryAfter)).toBeGreaterThan(0);
      expect(answer.body).not.toContain("away");
    }
    expect(calls).toBe(1);
  });

  test.each([true, false])("when the server announces DPoP, and when it does not: %s", async (dpop) => {
    const { send, proof } = await start(dpop);
    expect((await send({})).status).toBe(401);
    expect((await send({ dpop: await proof() })).status).toBe(200);
    expect(calls).toBe(1);
  });
});
