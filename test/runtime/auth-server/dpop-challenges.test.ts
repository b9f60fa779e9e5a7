import { beforeAll, describe, expect, it } from "vitest";
import { parseChallenges } from "../../../runtime/src/auth/discovery/challenge.js";
import { requireBearerAuth, type BearerAuth } from "../../../runtime/src/auth-server/bearer-auth.js";
import type { BearerAuthOptions } from "../../../runtime/src/auth-server/bearer-auth-options.js";
import type { DpopOptions } from "../../../runtime/src/auth-server/dpop/dpop-options.js";
import type { AuthorizationRefusal } from "../../../runtime/src/auth-server/gate/authorization-policy.js";
import type { Authenticated } from "../../../runtime/src/http-server/host-adapter.js";
import type { HttpRequest } from "../../../runtime/src/http-server/host-adapter.js";
import { sha256 } from "../auth/dpop-checks.js";
import { ProofMaker } from "./dpop/proof-maker.js";
import { call, factsWith, metadataUrl, requestWith, resource, verifierOf } from "./requests.js";

type Dpop = BearerAuthOptions["dpop"];
type Outcome = AuthorizationRefusal & Authenticated;

let maker: ProofMaker;
beforeAll(async () => {
  maker = await ProofMaker.create();
});

function protect(dpop?: Dpop): BearerAuth {
  const bound = factsWith({ keyThumbprint: maker.thumbprint, scopes: ["files:read"] });
  return requireBearerAuth({
    resource,
    verifier: verifierOf({ bound, bound2: bound, unbound: factsWith({ scopes: ["files:read"] }) }, Infinity),
    requiredScopes: ["files:read"],
    ...(dpop !== undefined && { dpop }),
  });
}

async function proofFor(token: string, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return maker.proof({ htu: resource, ath: await sha256(token), ...claims });
}

async function request(authorization: string, proof?: string | Promise<string>, method = "POST"): Promise<HttpRequest> {
  const dpop = await proof;
  return requestWith({ method, url: "/mcp?x=1", headers: { authorization, ...(dpop !== undefined && { dpop }) } });
}

const es256: DpopOptions = { algorithms: ["ES256"] };
const common = `scope="files:read", resource_metadata="${metadataUrl}"`;
const bearer = `Bearer ${common}`;
const dpop = `DPoP ${common}, algs="ES256"`;

function failed(scheme: "Bearer" | "DPoP", error: string, description: string): string {
  const algs = scheme === "DPoP" ? ', algs="ES256"' : "";
  return `${scheme} error="${error}", ${common}, error_description="${description}"${algs}`;
}

const isBound = "The access token is bound to a key: send it with the scheme DPoP and a proof of the key";
const isUnbound = "The access token is not bound to a key: send it with the scheme Bearer";
const mustBeBound = "This server accepts only access tokens that are bound to a key (DPoP)";
const noProof = "The access token is bound to a key (RFC 9449), but the request has no DPoP header with a proof of it";

describe("the challenges of a server that announces DPoP", () => {
  const rows: readonly (readonly [string, DpopOptions, string | undefined, string])[] = [
    ["without a token", es256, undefined, `${bearer}, ${dpop}`],
    [
      "an unknown bearer token",
      es256,
      "Bearer no",
      `${failed("Bearer", "invalid_token", "The token is not known")}, ${dpop}`,
    ],
    [
      "an unknown DPoP token",
      es256,
      "DPoP no",
      `${bearer}, ${failed("DPoP", "invalid_token", "The token is not known")}`,
    ],
    ["a bound token as bearer token", es256, "Bearer bound", `${failed("Bearer", "invalid_token", isBound)}, ${dpop}`],
    ["an unbound token with DPoP", es256, "dpop unbound", `${bearer}, ${failed("DPoP", "invalid_token", isUnbound)}`],
    [
      "a bound token without a proof",
      es256,
      "DPoP bound",
      `${bearer}, ${failed("DPoP", "invalid_dpop_proof", noProof)}`,
    ],
    ["required: without a token", { ...es256, required: true }, undefined, dpop],
    [
      "required: an unbound token",
      { ...es256, required: true },
      "Bearer unbound",
      failed("DPoP", "invalid_token", mustBeBound),
    ],
    [
      "required: an unbound token with DPoP",
      { ...es256, required: true },
      "DPoP unbound",
      failed("DPoP", "invalid_token", mustBeBound),
    ],
    [
      "required: a bound token as bearer token",
      { ...es256, required: true },
      "Bearer bound",
      failed("DPoP", "invalid_token", isBound),
    ],
  ];
  it.each(rows)("%s", async (_name, options, authorization, header) => {
    const outcome = await protect(options).authenticate(
      authorization === undefined ? requestWith() : await request(authorization),
    );
    expect(outcome).toMatchObject({ status: 401, headers: { "www-authenticate": header } });
  });

  it("have one error, also for a malformed header", () => {
    const outcome = protect(es256).authenticate(requestWith({ headers: { authorization: "DPoP" } })) as Outcome;
    expect(outcome.status).toBe(400);
    const challenges = parseChallenges(outcome.headers["www-authenticate"]);
    expect(challenges.map(({ scheme, parameters }) => [scheme, parameters["error"]])).toEqual([
      ["Bearer", "invalid_request"],
      ["DPoP", undefined],
    ]);
  });
});

describe("a server that announces nothing", () => {
  it.each([undefined, false])("still demands the proof of a bound token (dpop: %s)", async (option) => {
    const authorization = protect(option);
    const unprotected = (await authorization.authenticate(await request("Bearer bound"))) as Outcome;
    expect(unprotected.status).toBe(401);
    expect(parseChallenges(unprotected.headers["www-authenticate"]).map(({ scheme }) => scheme)).toEqual([
      "Bearer",
      "DPoP",
    ]);
    const accepted = await authorization.authenticate(await request("DPoP bound", proofFor("bound")));
    expect(accepted).toMatchObject({ principal: { subject: "alice", keyThumbprint: maker.thumbprint } });
    const challenge = authorization.authenticate(requestWith()) as Outcome;
    expect(challenge.headers["www-authenticate"]).toBe(bearer);
    const [path = ""] = authorization.publicPaths;
    expect(authorization.publicDocument(path).body).not.toContain("dpop");
  });
});

describe("proofs", () => {
  const rows: readonly (readonly [string, () => Promise<string> | string | undefined])[] = [
    ["for another method", () => proofFor("bound", { htm: "GET" })],
    ["for another URL", () => proofFor("bound", { htu: "https://mcp.example.com/other" })],
    ["for another server", () => proofFor("bound", { htu: "https://other.example.com/mcp" })],
    ["for another token", () => proofFor("bound2")],
    ["from the future", () => proofFor("bound", { iat: Math.floor(Date.now() / 1_000) + 400 })],
    ["from the past", () => proofFor("bound", { iat: Math.floor(Date.now() / 1_000) - 400 })],
    ["of another key", async () => (await ProofMaker.create()).proof({ htu: resource, ath: await sha256("bound") })],
    ["that are two", async () => `${await proofFor("bound")}, ${await proofFor("bound")}`],
    ["that are none", () => "proof"],
    ["that are missing", () => undefined],
  ];
  it.each(rows)("%s are rejected", async (_name, make) => {
    const outcome = await protect(es256).authenticate(await request("DPoP bound", make()));
    expect(outcome).toMatchObject({ status: 401 });
    const [, challenge] = parseChallenges((outcome as Outcome).headers["www-authenticate"]);
    expect(challenge).toMatchObject({ scheme: "DPoP", parameters: { error: "invalid_dpop_proof", algs: "ES256" } });
  });

  it("are accepted once", async () => {
    const authorization = protect(true);
    const proof = await proofFor("bound");
    expect(await authorization.authenticate(await request("DPoP bound", proof))).toHaveProperty("principal");
    expect(await authorization.authenticate(await request("DPoP bound", proof))).toMatchObject({ status: 401 });
    expect(await authorization.authenticate(await request("DPoP bound", proofFor("bound")))).toHaveProperty(
      "principal",
    );
  });

  it("of GET and of another path are checked with them", async () => {
    const get = await request("DPoP bound", proofFor("bound", { htm: "GET" }), "GET");
    expect(await protect(true).authenticate(get)).toHaveProperty("principal");
    const post = requestWith({
      url: "/mcp/messages?sseSession=1",
      headers: {
        authorization: "DPoP bound",
        dpop: await proofFor("bound", { htu: "https://mcp.example.com/mcp/messages" }),
      },
    });
    expect(await protect(true).authenticate(post)).toHaveProperty("principal");
  });

  it("of a token that lacks a scope get a DPoP challenge", async () => {
    const authorization = protect(true);
    const given = await request("DPoP bound", proofFor("bound"));
    const { principal } = (await authorization.authenticate(given)) as Outcome;
    const refusal = authorization.authorize({ ...given, principal }, [call("write")], ["files:write"]);
    const [first, second] = parseChallenges(refusal?.headers["www-authenticate"]);
    expect(first?.parameters["error"]).toBeUndefined();
    expect(second).toMatchObject({
      scheme: "DPoP",
      parameters: { error: "insufficient_scope", scope: "files:read files:write" },
    });
  });
});

describe("nonces", () => {
  it("are sent with each challenge and accepted request, and demanded", async () => {
    const authorization = protect({ ...es256, nonces: true });
    const first = (await authorization.authenticate(requestWith())) as Outcome;
    const nonce = first.headers["dpop-nonce"];
    expect(nonce).toMatch(/^[\w-]+$/);

    const without = (await authorization.authenticate(await request("DPoP bound", proofFor("bound")))) as Outcome;
    expect(without).toMatchObject({ status: 401, headers: { "dpop-nonce": nonce } });
    const [, challenge] = parseChallenges(without.headers["www-authenticate"]);
    expect(challenge?.parameters["error"]).toBe("use_dpop_nonce");

    const missing = (await authorization.authenticate(await request("DPoP bound"))) as Outcome;
    expect(missing.headers["dpop-nonce"]).toBe(nonce);

    const accepted = (await authorization.authenticate(
      await request("DPoP bound", proofFor("bound", { nonce })),
    )) as Outcome;
    expect(accepted).toMatchObject({ principal: { subject: "alice" }, headers: { "dpop-nonce": nonce } });
    const bearerToken = (await authorization.authenticate(await request("Bearer unbound"))) as Outcome;
    expect(bearerToken).toHaveProperty("principal");
  });
});
