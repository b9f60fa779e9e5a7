import { describe, expect, it } from "vitest";
import { requireBearerAuth } from "../../../runtime/src/auth-server/bearer-auth.js";
import { getOAuthProtectedResourceMetadataUrl } from "../../../runtime/src/auth-server/resource-identifier.js";
import { issuer, verifierOf } from "./requests.js";

const verifier = verifierOf({});
const wellKnown = "/.well-known/oauth-protected-resource";

describe("the metadata of the resource", () => {
  const rows: readonly (readonly [string | URL, string, string, readonly string[]])[] = [
    ["https://x.example", "https://x.example", `https://x.example${wellKnown}`, [wellKnown]],
    ["https://x.example/", "https://x.example/", `https://x.example${wellKnown}`, [wellKnown]],
    [new URL("https://x.example"), "https://x.example", `https://x.example${wellKnown}`, [wellKnown]],
    [
      new URL("https://x.example/mcp"),
      "https://x.example/mcp",
      `https://x.example${wellKnown}/mcp`,
      [`${wellKnown}/mcp`, wellKnown],
    ],
    [
      "https://x.example:8443/a/b",
      "https://x.example:8443/a/b",
      `https://x.example:8443${wellKnown}/a/b`,
      [`${wellKnown}/a/b`, wellKnown],
    ],
    [
      "https://x.example/mcp/",
      "https://x.example/mcp/",
      `https://x.example${wellKnown}/mcp/`,
      [`${wellKnown}/mcp/`, wellKnown],
    ],
    [
      "HTTPS://X.Example/Mcp",
      "HTTPS://X.Example/Mcp",
      `https://x.example${wellKnown}/Mcp`,
      [`${wellKnown}/Mcp`, wellKnown],
    ],
    [
      "https://x.example/mcp?tenant=a",
      "https://x.example/mcp?tenant=a",
      `https://x.example${wellKnown}/mcp?tenant=a`,
      [`${wellKnown}/mcp`, wellKnown],
    ],
    [
      "http://127.0.0.1:3000/mcp",
      "http://127.0.0.1:3000/mcp",
      `http://127.0.0.1:3000${wellKnown}/mcp`,
      [`${wellKnown}/mcp`, wellKnown],
    ],
  ];
  it.each(rows)("of %s is at both well-known paths", (given, text, url, paths) => {
    const authorization = requireBearerAuth({ resource: given, verifier });
    expect(authorization).toMatchObject({ resource: text, resourceMetadataUrl: url, publicPaths: paths });
    expect(getOAuthProtectedResourceMetadataUrl(given)).toBe(url);
    for (const path of paths) {
      const { status, headers, body = "" } = authorization.publicDocument(path);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("application/json");
      expect(JSON.parse(body)).toEqual({
        resource: text,
        authorization_servers: [issuer],
        bearer_methods_supported: ["header"],
      });
    }
    expect(authorization.publicDocument("/mcp/elsewhere").status).toBe(404);
  });

  it("contains what the options say", () => {
    const authorization = requireBearerAuth({
      resource: "https://x.example",
      verifier,
      requiredScopes: ["read"],
      scopesSupported: ["read", "list"],
      authorizationServers: ["https://one.example", "https://two.example/tenant"],
      resourceName: "Files",
      resourceDocumentation: "https://x.example/docs",
      resourcePolicyUri: new URL("https://x.example/policy"),
      resourceTosUri: "https://x.example/terms",
      dpop: { required: true, algorithms: ["ES256", "EdDSA"] },
    });
    expect(authorization.publicPaths).toEqual([wellKnown]);
    expect(JSON.parse(authorization.publicDocument(wellKnown).body ?? "")).toEqual({
      resource: "https://x.example",
      authorization_servers: ["https://one.example", "https://two.example/tenant"],
      scopes_supported: ["read", "list"],
      bearer_methods_supported: ["header"],
      resource_name: "Files",
      resource_documentation: "https://x.example/docs",
      resource_policy_uri: "https://x.example/policy",
      resource_tos_uri: "https://x.example/terms",
      dpop_signing_alg_values_supported: ["ES256", "EdDSA"],
      dpop_bound_access_tokens_required: true,
    });
  });
});
