/** Options of an OAuth proxy that are wrong, and what their errors say. */
import { describe, expect, test } from "vitest";
import { assembleProxy } from "../../../runtime/src/auth-proxy/oauth-proxy.js";
import type { OAuthProxyOptions } from "../../../runtime/src/auth-proxy/oauth-proxy-options.js";
import { fakeUpstream } from "./started-proxy.js";

const valid: OAuthProxyOptions = {
  issuer: "https://mcp.example.com",
  resource: "https://mcp.example.com/mcp",
  upstream: fakeUpstream,
  secrets: ["a secret of the tests, which is long enough"],
};

const flow = {
  handle: () => Promise.resolve(false),
  tokensOf: () => Promise.reject(new Error("no tokens")),
};

function create(changed: object): string {
  return assembleProxy({ ...valid, ...changed }, () => flow).issuer;
}

test.each<[OAuthProxyOptions["issuer"], string]>([
  ["https://mcp.example.com", "https://mcp.example.com"],
  ["https://mcp.example.com/", "https://mcp.example.com"],
  [new URL("https://mcp.example.com"), "https://mcp.example.com"],
  ["https://MCP.example.com:443", "https://mcp.example.com"],
  ["https://mcp.example.com:8443/auth", "https://mcp.example.com:8443/auth"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["http://[::1]:3000", "http://[::1]:3000"],
])("the issuer %s is %s", (issuer, expected) => {
  expect(create({ issuer })).toBe(expected);
});

describe("a wrong option", () => {
  test.each<[{ readonly [Name in keyof OAuthProxyOptions]?: unknown }, string]>([
    [{ issuer: undefined }, "issuer must be the public URL"],
    [{ issuer: "mcp.example.com" }, "issuer must be the public URL"],
    [{ issuer: "http://mcp.example.com" }, "issuer must have https"],
    [{ issuer: "ftp://mcp.example.com" }, "issuer must have https"],
    [{ issuer: "http://127.0.0.1.example.com" }, "issuer must have https"],
    [{ issuer: "https://mcp.example.com/?a=b" }, "issuer must not have a query"],
    [{ issuer: "https://mcp.example.com/#a" }, "issuer must not have a query"],
    [{ issuer: "https://user:secret@mcp.example.com/" }, "issuer must not have a query"],
    [{ issuer: "https://mcp.example.com/auth/" }, "the path of issuer"],
    [{ issuer: "https://mcp.example.com//auth" }, "the path of issuer"],
    [{ issuer: "https://mcp.example.com/a%20b" }, "the path of issuer"],
    [{ resource: undefined }, "resource must be the absolute URL"],
    [{ resource: "/mcp" }, "resource must be an absolute URL"],
    [{ resource: "urn:mcp" }, "resource must begin with https://"],
    [{ resource: "http://mcp.example.com/mcp" }, "resource must begin with https://"],
    [{ resource: "https://mcp.example.com/mcp#x" }, "resource must not have a fragment"],
    [{ secrets: undefined }, "secrets must be"],
    [{ secrets: [] }, "secrets must be"],
    [{ secrets: ["short"] }, "secrets[0] must be a string of at least 32"],
    [{ secrets: [undefined] }, "secrets[0] must be a string of at least 32"],
    [{ secrets: [...valid.secrets, "short"] }, "secrets[1] must be a string of at least 32"],
    [{ upstream: undefined }, "upstream must be a provider"],
    [{ upstream: "github" }, "upstream must be a provider"],
    [{ store: {} }, "store must be a ProxyStore"],
    [{ scopes: {} }, "scopes must name at least one"],
    [{ scopes: { "files read": "" } }, 'scopes: "files read"'],
    [{ scopes: { openid: "" } }, 'scopes: "openid"'],
    [{ clients: [{ clientId: "", redirectUris: [] }] }, "clientId must be a string"],
    [{ clients: [{ clientId: "desk", redirectUris: [] }] }, "desk needs redirectUris"],
    [{ clients: [{ clientId: "desk", clientSecret: "" }] }, "clientSecret must be a non-empty string"],
    [{ clients: [{ clientId: "desk", clientSecret: 7 }] }, "clientSecret must be a non-empty string"],
    [
      { clients: [{ clientId: "desk", redirectUris: ["http://a.example"] }] },
      "desk: redirectUris: a redirect URI with http",
    ],
    [
      {
        clients: [
          { clientId: "desk", redirectUris: ["https://a.example"] },
          { clientId: "desk", redirectUris: ["https://a.example"] },
        ],
      },
      "desk is listed twice",
    ],
    [
      { redirectSchemes: ["javascript"] },
      'redirectSchemes must be private-use schemes in lower case, such as "com.example.app"; got "javascript"',
    ],
    [{ redirectSchemes: ["com.example.app:"] }, "redirectSchemes"],
    [{ accessTokenSeconds: 0 }, "accessTokenSeconds must be a whole number"],
    [{ refreshTokenSeconds: 1.5 }, "refreshTokenSeconds must be a whole number"],
    [{ grantSeconds: "1" }, "grantSeconds must be a whole number"],
    [{ registration: { maxClients: -1 } }, "maxClients must be 0 or more"],
    [{ metadataDocuments: { timeoutMs: NaN } }, "timeoutMs must be 0 or more"],
    [{ metadataDocuments: { allow: ["https://a.example"] } }, "allow"],
    [{ allowedHosts: "mcp.example.com" }, "allowedHosts must be a list"],
  ])("%j", (changed, message) => {
    expect(() => create(changed)).toThrow(
      expect.objectContaining({
        code: "INVALID_CONFIGURATION",
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
    expect(() => create(changed)).not.toThrow("secret@");
  });

  test("no options at all", () => {
    expect(() => assembleProxy(undefined as unknown as OAuthProxyOptions, () => flow)).toThrow(
      "pass an object with options",
    );
  });
});
