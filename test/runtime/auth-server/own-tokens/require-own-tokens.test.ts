import { describe, expect, test } from "vitest";
import {
  type AccessTokenInfo,
  InvalidTokenError,
  type OwnTokensOptions,
  requireOwnTokens,
  tokenInfoOf,
  TokenVerificationError,
} from "../../../../runtime/src/auth-server.js";
import { bearerParameters } from "../../../../runtime/src/auth.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { createMcpHandler } from "../../../../runtime/src/server/http.js";
import { metadataUrl, resource } from "../requests.js";

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

const tokens: Readonly<Record<string, (token: string) => AccessTokenInfo | Promise<AccessTokenInfo>>> = {
  reader: (token) => ({ token, clientId: "desk", scopes: ["read"], expiresAt: inAnHour(), extra: { tenant: "one" } }),
  writer: (token) => ({ token, clientId: "desk", scopes: ["read", "write"], expiresAt: inAnHour(), subject: "ada" }),
  other: (token) => ({
    token,
    clientId: "desk",
    scopes: ["read"],
    expiresAt: inAnHour(),
    resource: new URL("https://other.example.com/mcp"),
  }),
  own: (token) => Promise.resolve({ token, clientId: "desk", scopes: ["read"], expiresAt: inAnHour(), resource }),
  endless: (token) => ({ token, clientId: "desk", scopes: ["read"] }),
  expired: (token) => ({ token, clientId: "desk", scopes: ["read"], expiresAt: Date.now() / 1000 - 1 }),
  nobody: (token) => ({ token, clientId: "", scopes: ["read"], expiresAt: inAnHour() }),
  unscoped: (token) => ({ token, clientId: "desk", scopes: "read" as never, expiresAt: inAnHour() }),
  down: () => Promise.reject(new TokenVerificationError("the database does not respond")),
  broken: (token) => Promise.reject(new Error(`bug with ${token}`)),
};

function jwt(claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "RS256" })}.${encode(claims)}.c2lnbmF0dXJl`;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly challenge: Readonly<Record<string, string>>;
}

/** Calls a tool of a server with these options. */
async function call(
  authorization: string | undefined,
  options: Partial<OwnTokensOptions> = {},
  tool = "whoami",
): Promise<Answer> {
  const server = new McpServer({ name: "one", version: "1.0.0" });
  const whoami = (context: Parameters<typeof tokenInfoOf>[0]) => {
    const info = tokenInfoOf(context);
    return {
      content: [{ type: "text" as const, text: JSON.stringify({ ...info, expiresAt: typeof info?.expiresAt }) }],
    };
  };
  server.registerTool("whoami", {}, whoami);
  server.registerTool("write", { scopes: ["write"] }, whoami);
  const handler = createMcpHandler(server, {
    allowedHosts: ["mcp.example.com"],
    authorization: requireOwnTokens({
      verifier: {
        verifyAccessToken(token) {
          const found = Object.hasOwn(tokens, token) ? tokens[token] : undefined;
          if (found) return found(token);
          if (token.includes(".")) return { token, clientId: "jwt", scopes: ["read"], expiresAt: inAnHour() };
          throw new InvalidTokenError("inactive", "nobody knows this token");
        },
      },
      audience: "checked-by-verifier",
      ...options,
    }),
  });
  const response = await handler.fetch(
    new Request(resource, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        host: "mcp.example.com",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": tool,
        ...(authorization !== undefined && { authorization }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: tool,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    }),
  );
  const text = await response.text();
  return {
    status: response.status,
    text,
    challenge: bearerParameters(response.headers.get("www-authenticate") ?? undefined),
  };
}

describe("a request", () => {
  test("with a token that the verifier accepts is served, and the handler knows the token", async () => {
    const { status, text } = await call("Bearer reader", { requiredScopes: ["read"] });
    expect(status).toBe(200);
    const { result } = JSON.parse(text) as {
      readonly result: { readonly content: readonly { readonly text: string }[] };
    };
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual({
      clientId: "desk",
      subject: "desk",
      scopes: ["read"],
      extra: { tenant: "one" },
      token: "reader",
      expiresAt: "number",
    });
  });

  test.each([
    [undefined, 401, "invalid_token"],
    ["Bearer unknown", 401, "invalid_token"],
    ["Bearer endless", 401, "invalid_token"],
    ["Bearer expired", 401, "invalid_token"],
    ["DPoP reader", 401, "invalid_token"],
    ["Bearer reader, Bearer writer", 400, "invalid_request"],
    ["Bearer down", 503, undefined],
    ["Bearer broken", 500, undefined],
    ["Bearer nobody", 500, undefined],
    ["Bearer unscoped", 500, undefined],
  ])("with %s gets %i", async (authorization, status, error) => {
    const reported: Error[] = [];
    const answer = await call(authorization, { onerror: (one) => reported.push(one) });
    expect([answer.status, answer.challenge["error"]]).toEqual([status, error]);
    expect(reported).toHaveLength(status >= 500 || authorization === "Bearer endless" ? 1 : 0);
  });

  test("without an end is reported, because the verifier never returns one", async () => {
    const reported: Error[] = [];
    await call("Bearer endless", { onerror: (one) => reported.push(one) });
    expect(reported.map(({ message }) => message)).toEqual([expect.stringMatching(/must return expiresAt/)]);
    expect(String(reported[0])).not.toContain("endless");
  });

  test("without the scopes of every request, or of the tool, gets 403", async () => {
    expect((await call("Bearer reader", { requiredScopes: ["admin"] })).status).toBe(403);
    const { status, challenge } = await call("Bearer reader", {}, "write");
    expect([status, challenge["error"], challenge["scope"]]).toEqual([403, "insufficient_scope", "read write"]);
    expect((await call("Bearer writer", {}, "write")).status).toBe(200);
  });
});

describe("the audience", () => {
  test("needs the statement of the program", () => {
    const verifier = { verifyAccessToken: () => ({ token: "one", clientId: "one", scopes: [] }) };
    expect(() => requireOwnTokens({ verifier } as never)).toThrow(/audience must be "checked-by-verifier"/);
    expect(() => requireOwnTokens({ audience: "checked-by-verifier" } as never)).toThrow(/verifyAccessToken/);
  });

  test("of a JWT is compared with the resource", async () => {
    expect((await call(`Bearer ${jwt({ aud: resource })}`, { resource })).status).toBe(200);
    expect((await call(`Bearer ${jwt({ aud: ["other", resource] })}`, { resource })).status).toBe(200);
    for (const aud of ["https://other.example.com/mcp", ["other"], [], 7, null, {}]) {
      const { status, challenge } = await call(`Bearer ${jwt({ aud })}`, { resource });
      expect([aud, status, challenge["error"]]).toEqual([aud, 401, "invalid_token"]);
    }
  });

  test("of a JWT may have another name", async () => {
    expect((await call(`Bearer ${jwt({ aud: "api" })}`, { resource, audiences: ["api"] })).status).toBe(200);
    expect((await call(`Bearer ${jwt({ aud: resource })}`, { resource, audiences: ["api"] })).status).toBe(401);
  });

  test("of a JWT is never ignored: without a resource, an error names what to pass", async () => {
    const reported: Error[] = [];
    const { status } = await call(`Bearer ${jwt({ aud: resource })}`, { onerror: (one) => reported.push(one) });
    expect([status, reported.map(({ message }) => message)]).toEqual([500, [expect.stringMatching(/pass resource/)]]);
    expect((await call(`Bearer ${jwt({ sub: "ada" })}`)).status).toBe(200);
  });

  test("that the verifier returns is compared, too", async () => {
    expect((await call("Bearer own", { resource })).status).toBe(200);
    expect((await call("Bearer other", { resource })).status).toBe(401);
    const reported: Error[] = [];
    expect((await call("Bearer other", { onerror: (one) => reported.push(one) })).status).toBe(500);
    expect(reported[0]?.message).toMatch(/pass resource/);
  });
});

describe("the metadata", () => {
  test("are served where the program names authorization servers", async () => {
    const authorization = requireOwnTokens({
      verifier: { verifyAccessToken: () => Promise.reject(new Error("not called")) },
      audience: "checked-by-verifier",
      resource,
      authorizationServers: ["https://auth.example.com"],
      requiredScopes: ["read"],
      resourceName: "One",
    });
    const server = new McpServer({ name: "one", version: "1.0.0" });
    const handler = createMcpHandler(server, { allowedHosts: ["mcp.example.com"], authorization });
    expect(authorization.publicPaths).toContain(new URL(metadataUrl).pathname);
    const response = await handler.fetch(new Request(metadataUrl, { headers: { host: "mcp.example.com" } }));
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: ["https://auth.example.com"],
      scopes_supported: ["read"],
      bearer_methods_supported: ["header"],
      resource_name: "One",
    });
  });

  test("are named in challenges, also those that the program serves", async () => {
    const authorizationServers = ["https://auth.example.com"];
    const urlOf = async (options: Partial<OwnTokensOptions>): Promise<unknown> =>
      (await call(undefined, options)).challenge["resource_metadata"];
    expect(await urlOf({ resource, authorizationServers })).toBe(metadataUrl);
    expect(await urlOf({ resourceMetadataUrl: "https://mcp.example.com/own" })).toBe("https://mcp.example.com/own");
    expect(await urlOf({ resource })).toBeUndefined();
  });

  test("need the resource", () => {
    const verifier = { verifyAccessToken: () => Promise.reject(new Error("not called")) };
    const options = { verifier, audience: "checked-by-verifier", authorizationServers: ["https://auth.example.com"] };
    expect(() => requireOwnTokens(options as OwnTokensOptions)).toThrow(/need the option resource/);
  });
});
