import { describe, expect, it } from "vitest";
import { requireBearerAuth } from "../../../runtime/src/auth-server/bearer-auth.js";
import { getOAuthProtectedResourceMetadataUrl } from "../../../runtime/src/auth-server/resource-identifier.js";
import { resource, verifierOf } from "./requests.js";

const verifier = verifierOf({});

describe("invalid options", () => {
  const rows: readonly (readonly [object | undefined, string])[] = [
    [undefined, "options must be an object"],
    [{ resource: undefined }, "resource must be the absolute URL of the MCP server"],
    [{ resource: 3 }, "resource must be the absolute URL of the MCP server"],
    [
      { resource: "mcp.example.com" },
      'resource must be an absolute URL without spaces and quotes, such as "https://mcp.example.com/mcp"; got "mcp.example.com"',
    ],
    [{ resource: "/mcp" }, "resource must be an absolute URL"],
    [{ resource: " https://mcp.example.com" }, "resource must be an absolute URL"],
    [{ resource: 'https://mcp.example.com/"' }, "resource must be an absolute URL"],
    [{ resource: "https://münchen.example" }, "resource must be an absolute URL"],
    [{ resource: "http://mcp.example.com" }, "resource must begin with https://"],
    [{ resource: "ftp://localhost/mcp" }, "resource must begin with https://"],
    [{ resource: "http://localhost.evil.example/mcp" }, "resource must begin with https://"],
    [{ resource: "https://mcp.example.com/#a" }, "resource must not have a fragment"],
    [{ resource: "https://mcp.example.com/#" }, "resource must not have a fragment"],
    [{ resource: "https://alice:secret@mcp.example.com" }, "resource must not have a user name or a password"],
    [{ resource: "http://alice:secret@mcp.example.com" }, "resource must begin with https://"],
    [{ resource: "alice:secret@mcp.example.com#" }, "resource must begin with https://"],
    [{ verifier: undefined }, "verifier must be an object with a method verifyAccessToken"],
    [{ verifier: {} }, "verifier must be an object with a method verifyAccessToken"],
    [{ verifier: { ...verifier, issuers: undefined } }, "verifier.issuers must contain"],
    [{ verifier: { ...verifier, issuers: [] } }, "verifier.issuers must contain"],
    [{ verifier: { ...verifier, issuers: ["auth.example.com"] } }, "verifier.issuers must contain https URLs"],
    [{ verifier: { ...verifier, cacheMs: -1 } }, "verifier.cacheMs must be 0 or more, not -1"],
    [{ verifier: { ...verifier, audiences: [] } }, "verifier.audiences must"],
    [{ verifier: { ...verifier, audiences: "api" } }, "verifier.audiences must"],
    [{ authorizationServers: [] }, "authorizationServers must contain"],
    [{ authorizationServers: ["http://auth.example.com"] }, "authorizationServers must contain https URLs"],
    [{ authorizationServers: ["https://auth.example.com/?a"] }, "authorizationServers must contain https URLs"],
    [{ authorizationServers: ["https://auth.example.com/#"] }, "authorizationServers must contain https URLs"],
    [{ authorizationServers: ["https://a@auth.example.com"] }, "authorizationServers must contain https URLs"],
    [{ requiredScopes: "files:read" }, "requiredScopes must be an array of scopes"],
    [
      { requiredScopes: ["files:read files:write"] },
      'requiredScopes must contain strings without spaces, quotes and backslashes, one scope each; got "files:read files:write"',
    ],
    [{ requiredScopes: [""] }, "requiredScopes must contain strings"],
    [{ requiredScopes: ['a"b'] }, "requiredScopes must contain strings"],
    [{ requiredScopes: [7] }, "requiredScopes must contain strings"],
    [{ requiredScopes: ["offline_access"] }, 'requiredScopes must not contain "offline_access"'],
    [{ scopesSupported: ["offline_access"] }, 'scopesSupported must not contain "offline_access"'],
    [{ scopesSupported: ["a\\b"] }, "scopesSupported must contain strings"],
    [{ scopeIncludes: ["a"] }, "scopeIncludes must be an object"],
    [{ scopeIncludes: { "a b": [] } }, 'scopeIncludes has an invalid scope: "a b"'],
    [{ scopeIncludes: { a: "b" } }, 'scopeIncludes["a"] must be an array of scopes'],
    [{ scopeIncludes: { a: ["b c"] } }, 'scopeIncludes["a"] must contain strings'],
    [{ operationScopes: ["a"] }, "operationScopes must be a function"],
    [{ onRefused: {} }, "onRefused must be a function"],
    [{ onerror: "log" }, "onerror must be a function"],
    [{ maxTokenBytes: -1 }, "maxTokenBytes must be 0 or more, not -1"],
    [{ maxCachedTokens: NaN }, "maxCachedTokens must be 0 or more, not NaN"],
    [{ verificationTimeoutMs: -5 }, "verificationTimeoutMs must be 0 or more, not -5"],
    [{ verificationTimeoutMs: 0 }, "verificationTimeoutMs must be more than 0"],
    [{ resourceName: 5 }, "resourceName must be a string"],
    [{ resourceDocumentation: "docs" }, 'resourceDocumentation must be the URL of a web page; got "docs"'],
    [{ resourcePolicyUri: "javascript:alert(1)" }, "resourcePolicyUri must be the URL of a web page"],
    [{ resourceTosUri: 1 }, "resourceTosUri must be the URL of a web page; got number"],
    [{ dpop: "yes" }, "dpop must be true, false or an object"],
  ];
  it.each(rows)("%j", (options, message) => {
    const create = (): unknown =>
      requireBearerAuth(
        (options && { resource, verifier, ...options }) as unknown as Parameters<typeof requireBearerAuth>[0],
      );
    expect(create).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION", message: expect.stringContaining(message) as string }),
    );
    expect(create).not.toThrow(/secret/);
  });

  it("of the URL of the metadata", () => {
    expect(() => getOAuthProtectedResourceMetadataUrl("mcp.example.com")).toThrow(/resource must be an absolute URL/);
  });
});
