import { describe, expect, it } from "vitest";
import { parseChallenges } from "../../../runtime/src/auth/discovery/challenge.js";
import { type BearerAuth, requireBearerAuth } from "../../../runtime/src/auth-server/bearer-auth.js";
import type { BearerAuthOptions } from "../../../runtime/src/auth-server/bearer-auth-options.js";
import type { AuthorizationRefusal } from "../../../runtime/src/auth-server/gate/authorization-policy.js";
import type { Authenticated } from "../../../runtime/src/http-server/host-adapter.js";
import {
  bearerRequest,
  call,
  factsWith,
  metadataUrl,
  type RequestParts,
  requestWith,
  resource,
  verifierOf,
} from "./requests.js";

const tokens = {
  reader: factsWith({ scopes: ["files:read"] }),
  writer: factsWith({ scopes: ["files:read", "files:write"] }),
  admin: factsWith({ scopes: ["files:admin"] }),
  nobody: factsWith({ scopes: [] }),
  // More than clients read in one header.
  many: factsWith({ scopes: Array.from({ length: 500 }, (_, index) => `scope-${index}`) }),
  offline: factsWith({ scopes: ["offline_access", "other"] }),
  bound: factsWith({ scopes: ["files:read"], keyThumbprint: "thumbprint" }),
};

function protect(options: Partial<BearerAuthOptions> = {}): BearerAuth {
  return requireBearerAuth({
    resource,
    verifier: verifierOf(tokens, Infinity),
    requiredScopes: ["files:read"],
    ...options,
  });
}

describe("requests that are rejected at their head", () => {
  const challenge = (error?: string, description?: string): string =>
    error === undefined
      ? `Bearer scope="files:read", resource_metadata="${metadataUrl}"`
      : `Bearer error="${error}", scope="files:read", resource_metadata="${metadataUrl}", error_description="${description}"`;
  const rows: readonly (readonly [string, RequestParts, number, string])[] = [
    ["without a token", {}, 401, challenge()],
    ["with an empty header", { headers: { authorization: "" } }, 401, challenge()],
    ["with another scheme", { headers: { authorization: "Basic YWxpY2U6c2VjcmV0" } }, 401, challenge()],
    ["with a scheme that begins like ours", { headers: { authorization: "Bearers reader" } }, 401, challenge()],
    ["with a token in the query only", { url: "/mcp?access_token=reader" }, 401, challenge()],
    [
      "with a token in both places",
      { url: "/mcp?a=1&access%5Ftoken=reader", headers: { authorization: "Bearer reader" } },
      400,
      challenge(
        "invalid_request",
        "the access token must be in the Authorization header only, and not in the query, too",
      ),
    ],
    ...[
      "Bearer",
      "bearer ",
      "Bearer a b",
      "Bearer tök",
      "Bearer\treader",
      'Bearer "reader"',
      "Bearer reader;x=1",
      "DPoP",
      "Bearer=reader",
    ].map(
      (authorization) =>
        [
          `with the header ${JSON.stringify(authorization)}`,
          { headers: { authorization } },
          400,
          challenge(
            "invalid_request",
            "the Authorization header must consist of the scheme Bearer or DPoP, a space, and the access token",
          ),
        ] as const,
    ),
    ...["Bearer reader, Bearer writer", "Bearer reader,Basic abc", "Basic abc, bearer reader", "DPoP a, Bearer b"].map(
      (authorization) =>
        [
          `with two headers ${JSON.stringify(authorization)}`,
          { headers: { authorization } },
          400,
          challenge("invalid_request", "there must be one Authorization header with one access token"),
        ] as const,
    ),
    [
      "with an unknown token",
      { headers: { authorization: "Bearer unknown" } },
      401,
      challenge("invalid_token", "The token is not known"),
    ],
    [
      "with a token that is too long",
      { headers: { authorization: `Bearer ${"x".repeat(16_385)}` } },
      401,
      challenge("invalid_token", "The access token has more than 16384 characters"),
    ],
  ];
  it.each(rows)("%s", async (_name, parts, status, header) => {
    const refusal = (await protect().authenticate(requestWith(parts))) as AuthorizationRefusal;
    expect(refusal.status).toBe(status);
    expect(refusal.headers).toEqual({ "www-authenticate": header });
  });

  it("have no scope in the challenge when the endpoint needs none", () => {
    const refusal = protect({ requiredScopes: [] }).authenticate(requestWith()) as AuthorizationRefusal;
    expect(refusal.headers["www-authenticate"]).toBe(`Bearer resource_metadata="${metadataUrl}"`);
  });
});

describe("requests that are accepted", () => {
  it.each(["Bearer reader", "bearer reader", "BEARER  reader"])("%s", (authorization) => {
    const accepted = protect().authenticate(requestWith({ headers: { authorization } })) as Authenticated;
    expect(accepted).toEqual({ principal: tokens.reader, expiresAt: tokens.reader.expiresAt * 1_000 });
  });

  it("get the members of the token in the context, and nothing over other transports", () => {
    const authorization = protect();
    const { principal } = authorization.authenticate(bearerRequest("reader")) as Authenticated;
    expect(authorization.infoOf({ principal })).toMatchObject({
      subject: "alice",
      scopes: ["files:read"],
      token: "reader",
    });
    expect(authorization.infoOf({})).toBeUndefined();
    expect(
      authorization.infoOf({ principal: { issuer: "https://auth.example.com", subject: "alice" } }),
    ).toBeUndefined();
    expect(protect().infoOf({ principal })).toBeUndefined();
  });
});

describe("scopes of an operation", () => {
  const hierarchy = { "files:admin": ["files:write"], "files:write": ["files:read", "files:admin"] };
  const rows: readonly (readonly [
    keyof typeof tokens,
    readonly string[],
    string | undefined,
    Partial<BearerAuthOptions>,
  ])[] = [
    ["reader", [], undefined, {}],
    ["reader", ["files:write"], "files:read files:write", {}],
    ["writer", ["files:write"], undefined, {}],
    // GET and DELETE, too.
    ["nobody", [], "files:read", {}],
    ["nobody", ["files:write"], "files:read files:write", {}],
    ["nobody", ["files:write", "files:read", "x"], "files:read files:write x", {}],
    ["admin", ["files:write"], undefined, { scopeIncludes: hierarchy }],
    ["writer", ["files:admin"], undefined, { scopeIncludes: hierarchy }],
    ["admin", ["files:write"], "files:admin files:read files:write", {}],
    ["admin", ["files:write"], "files:read files:write", { challengeGrantedScopes: false }],
    ["offline", [], "other files:read", {}],
    ["many", [], "files:read", {}],
    ["reader", ["a"], "files:read a b", { operationScopes: () => ["b"] }],
    ["reader", [], "files:read of:alice", { operationScopes: (_request, info) => [`of:${info.subject}`] }],
    ["reader", [], "files:read tool:write", { operationScopes: ({ params }) => [`tool:${String(params?.["name"])}`] }],
  ];
  it.each(rows)("token %s, needed %j: %s", (token, scopes, challenged, options) => {
    const authorization = protect(options);
    const { principal } = authorization.authenticate(bearerRequest(token)) as Authenticated;
    const refusal = authorization.authorize(bearerRequest(token, { principal }), [call("write")], scopes);
    expect(refusal?.status).toBe(challenged === undefined ? undefined : 403);
    const [challenge] = parseChallenges(refusal?.headers["www-authenticate"]);
    expect(challenge?.parameters["scope"]).toBe(challenged);
    if (challenged !== undefined)
      expect(challenge?.parameters).toMatchObject({ error: "insufficient_scope", resource_metadata: metadataUrl });
  });
});
