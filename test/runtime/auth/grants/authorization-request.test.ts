import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { calculatePKCECodeChallenge } from "oauth4webapi";
import { describe, expect, test } from "vitest";
import {
  assertAuthorizationParameters,
  assertCodeFlow,
  authorizationUrl,
} from "../../../../runtime/src/auth/grants/authorization-request.js";
import { exampleFlow, exampleServer, issuer } from "./example-flow.js";

describe("authorizationUrl", () => {
  test("has the parameters of the flow, each once", async () => {
    const flow = exampleFlow(undefined, { scopes: ["read", "write"] });
    const url = await authorizationUrl(flow);
    expect(url.href.startsWith(`${issuer}/authorize?`)).toBe(true);
    expect([...url.searchParams].sort()).toEqual([
      ["client_id", "client-1"],
      ["code_challenge", await calculatePKCECodeChallenge(flow.verifier)],
      ["code_challenge_method", "S256"],
      ["redirect_uri", flow.redirectUri],
      ["resource", "https://mcp.example.com/mcp"],
      ["response_type", "code"],
      ["scope", "read write"],
      ["state", flow.state],
    ]);
  });

  const resources = [
    "https://mcp.example.com",
    "https://mcp.example.com/",
    "HTTPS://MCP.example.com:443/a/../b",
    "https://mcp.example.com/a%2fb?x=1&y=ü z",
  ];
  test.each(resources)("sends the resource %s as it is spelled", async (resource) => {
    const url = await authorizationUrl(exampleFlow({ ...exampleServer(), resource }));
    expect(url.searchParams.get("resource")).toBe(resource);
  });

  test("omits resource and scope when there are none", async () => {
    const url = await authorizationUrl(exampleFlow(exampleServer({}, false), { scopes: [] }));
    expect(url.searchParams.has("resource")).toBe(false);
    expect(url.searchParams.has("scope")).toBe(false);
  });

  test("demands consent together with offline_access, unless the application has chosen a prompt", async () => {
    const flow = exampleFlow(undefined, { scopes: ["read", "offline_access"] });
    expect((await authorizationUrl(flow)).searchParams.get("prompt")).toBe("consent");
    expect((await authorizationUrl(flow, { prompt: "login" })).searchParams.get("prompt")).toBe("login");
    const without = exampleFlow(undefined, { scopes: ["read"] });
    expect((await authorizationUrl(without)).searchParams.has("prompt")).toBe(false);
  });

  test("adds parameters of the application", async () => {
    const url = await authorizationUrl(exampleFlow(), { login_hint: "ada@example.com" });
    expect(url.searchParams.get("login_hint")).toBe("ada@example.com");
  });

  test("binds the code to the DPoP key", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const dpopKey = await exportJWK(privateKey);
    const url = await authorizationUrl(exampleFlow(undefined, { dpopKey }));
    expect(url.searchParams.get("dpop_jkt")).toBe(await calculateJwkThumbprint(dpopKey));
  });

  test("keeps the query of the endpoint byte for byte", async () => {
    const server = exampleServer({ authorization_endpoint: `${issuer}/authorize?tenant=a%20b&x=1+2&flag` });
    const url = await authorizationUrl(exampleFlow(server));
    expect(url.href.startsWith(`${issuer}/authorize?tenant=a%20b&x=1+2&flag&`)).toBe(true);
  });

  test("does not double a parameter that the endpoint has with the same value", async () => {
    const server = exampleServer({ authorization_endpoint: `${issuer}/authorize?response_type=code` });
    expect((await authorizationUrl(exampleFlow(server))).searchParams.getAll("response_type")).toEqual(["code"]);
  });

  const conflicts = [
    "client_id=evil",
    "redirect_uri=https%3A%2F%2Fevil.example",
    "response_type=token",
    "state=x",
    "scope=",
  ];
  test.each(conflicts)("rejects an endpoint that sets %s", async (query) => {
    const server = exampleServer({ authorization_endpoint: `${issuer}/authorize?${query}` });
    await expect(authorizationUrl(exampleFlow(server, { scopes: ["read"] }))).rejects.toMatchObject({
      reason: "metadata-invalid",
    });
  });
});

describe("assertCodeFlow", () => {
  const endpoints = [
    { endpoint: "javascript:alert(1)", reason: "insecure-url" },
    { endpoint: "file:///etc/passwd", reason: "insecure-url" },
    { endpoint: "data:text/html,x", reason: "insecure-url" },
    { endpoint: "http://auth.example.com/authorize", reason: "insecure-url" },
    { endpoint: "ms-settings:network", reason: "insecure-url" },
    { endpoint: "https://user:password@auth.example.com/authorize", reason: "insecure-url" },
    { endpoint: "http://127.0.0.1/authorize", reason: "insecure-url" },
    { endpoint: "https://auth.example.com/authorize#x", reason: "metadata-invalid" },
    { endpoint: "/authorize", reason: "metadata-invalid" },
    { endpoint: "", reason: "metadata-invalid" },
    { endpoint: undefined, reason: "metadata-invalid" },
    { endpoint: 7, reason: "metadata-invalid" },
  ];
  test.each(endpoints)("rejects the endpoint $endpoint", async ({ endpoint, reason }) => {
    const server = exampleServer({ authorization_endpoint: endpoint });
    expect(() => assertCodeFlow(server)).toThrow(expect.objectContaining({ reason }));
    await expect(authorizationUrl(exampleFlow(server))).rejects.toMatchObject({ reason });
  });

  const harmless = [
    `${issuer}/authorize?a=$(calc.exe)`,
    `${issuer}/authorize?a=1&b=";calc;"`,
    `${issuer}/authorize;calc|x`,
    "http://localhost:8080/authorize",
  ];
  test.each(harmless)("accepts the endpoint %s", async (endpoint) => {
    const isLocal = endpoint.startsWith("http:");
    const server = {
      ...exampleServer({ authorization_endpoint: endpoint }),
      ...(isLocal && { issuer: "http://localhost:8080" }),
    };
    expect(() => assertCodeFlow(server)).not.toThrow();
    // Quotation marks and spaces are encoded.
    expect((await authorizationUrl(exampleFlow(server))).href).toMatch(/^https?:[^\s"<>`]+$/);
  });

  const announcements = [
    { methods: ["S256"], isNew: true, ok: true },
    { methods: ["plain", "S256"], isNew: true, ok: true },
    { methods: ["plain"], isNew: true, ok: false },
    { methods: [], isNew: true, ok: false },
    { methods: undefined, isNew: true, ok: false },
    { methods: ["s256"], isNew: true, ok: false },
    { methods: undefined, isNew: false, ok: true },
    { methods: ["plain"], isNew: false, ok: false },
  ];
  test.each(announcements)("PKCE methods $methods, rules that demand them: $isNew", ({ methods, isNew, ok }) => {
    const server = exampleServer({ code_challenge_methods_supported: methods }, isNew);
    if (ok) expect(() => assertCodeFlow(server)).not.toThrow();
    else expect(() => assertCodeFlow(server)).toThrow(expect.objectContaining({ reason: "pkce-unsupported" }));
  });

  test("rejects a server without the response type code", () => {
    const server = exampleServer({ response_types_supported: ["token"] });
    expect(() => assertCodeFlow(server)).toThrow(expect.objectContaining({ reason: "metadata-invalid" }));
  });
});

test.each(["state", "client_id", "resource", "redirect_uri", "response_mode", "request_uri"])(
  "authorizationParameters must not contain %s",
  (name) => {
    expect(() => assertAuthorizationParameters({ [name]: "x" })).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION" }),
    );
  },
);
