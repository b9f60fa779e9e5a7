/** Requests to an OAuth proxy with wrong hosts, methods, bodies and origins. */
import { once } from "node:events";
import { type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { connect } from "node:net";
import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { authorizationUrl, authorize, nativeClient, redeem, register } from "./log-in.js";
import { startProxy, type StartedProxy, TestBrowser } from "./started-proxy.js";

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Sends a request with any `Host`. */
async function ask(
  { http }: StartedProxy,
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<Received> {
  const { port } = http.address() as { readonly port: number };
  const outgoing = send({ host: "127.0.0.1", port, path, method, headers });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}

describe("behind a reverse proxy", () => {
  const remote = { issuer: "https://mcp.example.com", resource: "https://mcp.example.com/mcp" };
  const headers = {
    host: "mcp.example.com",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    forwarded: "host=evil.example;proto=http",
    "x-forwarded-for": "203.0.113.7",
    "x-original-url": "/evil",
  };

  test("no header changes the URLs: they are those of the issuer", async () => {
    const started = await startProxy(remote);
    const metadata = await ask(started, "/.well-known/oauth-authorization-server", { headers });
    expect(metadata.text).not.toContain("evil");
    expect(JSON.parse(metadata.text)).toMatchObject({
      issuer: remote.issuer,
      token_endpoint: `${remote.issuer}/token`,
    });
    const registered = await ask(started, "/register", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(nativeClient),
    });
    const { client_id } = JSON.parse(registered.text) as oauth.Client;
    const verifier = oauth.generateRandomCodeVerifier();
    const query = new URLSearchParams({
      response_type: "code",
      client_id,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const began = await ask(started, `/authorize?${query.toString()}`, { headers });
    expect([began.status, began.headers.location?.split("/").slice(0, -1)]).toEqual([303, ["", "consent"]]);
    const cookies = began.headers["set-cookie"] ?? [];
    expect(cookies).toHaveLength(4);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Secure-mcp-(interaction|resume)(\.sig)?=/);
      expect(cookie).toMatch(/; secure; httponly(; samesite=lax)?/i);
      expect(cookie).toMatch(/samesite=lax/i);
      expect(cookie).not.toMatch(/domain=/i);
    }
    const cookie = cookies.map((text) => text.split(";")[0]).join("; ");
    const consented = await ask(started, began.headers.location ?? "", { headers: { ...headers, cookie } });
    expect(consented.headers.location).toMatch(/^https:\/\/mcp\.example\.com\/authorize\/[\w-]+$/);
  });

  test.each([
    ["mcp.example.com:443", 200],
    ["MCP.Example.com", 200],
    ["internal:8080", 200],
    ["evil.example", 403],
    ["mcp.example.com.evil.example", 403],
    ["mcp.example.com@evil.example", 403],
    ["", 403],
  ])("the host %j gets %i", async (host, status) => {
    const started = await startProxy({ ...remote, allowedHosts: ["internal"] });
    expect(await ask(started, "/.well-known/oauth-authorization-server", { headers: { host } })).toMatchObject({
      status,
    });
    const token = await ask(started, "/token", { method: "POST", headers: { host, "content-length": "0" } });
    expect(token.status).toBe(status === 200 ? 400 : status);
  });

  test("any host is accepted if allowedHosts says so", async () => {
    const started = await startProxy({ ...remote, allowedHosts: "any" });
    expect((await ask(started, "/jwks", { headers: { host: "10.0.0.7" } })).status).toBe(200);
  });
});

describe("paths and methods", () => {
  test.each([
    ["GET", "/nothing", 404],
    ["GET", "/token", 405],
    ["GET", "/register", 405],
    ["GET", "/revoke", 405],
    ["POST", "/authorize", 405],
    ["HEAD", "/authorize", 405],
    ["POST", "/jwks", 405],
    ["PUT", "/token", 405],
    ["POST", "/.well-known/oauth-authorization-server", 405],
    ["HEAD", "/.well-known/oauth-authorization-server", 200],
    ["GET", "/authorize/unknown", 400],
    ["GET", "/consent/unknown", 400],
    ["GET", "/authorize/un/known", 404],
    ["GET", "/authorize/../token", 404],
    ["GET", "//authorize", 404],
    ["GET", "/Authorize", 404],
    ["GET", "/session/end/confirm", 404],
    ["POST", "/session/end/confirm", 404],
    ["GET", "/me", 404],
    ["POST", "/token/introspection", 404],
    ["GET", "/.well-known/oauth-authorization-server/mcp", 404],
  ])("%s %s: %i", async (method, path, status) => {
    const started = await startProxy();
    const received = await ask(started, path, { method });
    expect(received.status).toBe(status);
    if (status === 405) expect(received.headers.allow).toBeDefined();
  });

  test("other paths go on to the next handler", async () => {
    const started = await startProxy();
    started.http.removeAllListeners("request");
    started.http.on("request", (request, response) =>
      started.proxy.listener(request, response, () => void response.writeHead(418).end()),
    );
    expect((await ask(started, "/nothing")).status).toBe(418);
    expect((await ask(started, "/jwks")).status).toBe(200);
  });

  test("a handler or onerror that throws ends nothing", async () => {
    const reported: unknown[] = [];
    const started = await startProxy({
      onerror: (error) => {
        reported.push(error.message);
        throw new Error("onerror failed");
      },
    });
    const warned = once(process, "warning");
    started.proxy.listener(
      { url: "/x", headers: {}, rawHeaders: [] } as unknown as IncomingMessage,
      {} as ServerResponse,
      () => {
        throw new Error("next failed");
      },
    );
    expect(await warned).toMatchObject([{ message: "onerror failed" }]);
    expect(reported).toEqual(["next failed"]);
    expect((await ask(started, "/jwks")).status).toBe(200);
  });

  test("after close, requests get 503", async () => {
    const started = await startProxy();
    await started.proxy.close();
    expect(await ask(started, "/jwks")).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  });
});

describe("bodies", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test.each<[string, Sent, number, string]>([
    ["no body", {}, 400, "invalid_request"],
    ["another type", { headers: { "content-type": "application/json" }, body: "{}" }, 400, "invalid_request"],
    ["two grant types", { headers: form, body: "client_id=x&grant_type=a&grant_type=b" }, 401, "invalid_client"],
    ["two client ids", { headers: form, body: "client_id=x&client_id=y" }, 400, "invalid_request"],
    ["an unknown client", { headers: form, body: "client_id=x&grant_type=authorization_code" }, 401, "invalid_client"],
    [
      "a broken Authorization",
      { headers: { ...form, authorization: "Basic %%%" }, body: "grant_type=a" },
      400,
      "invalid_request",
    ],
    [
      "a bearer token",
      { headers: { ...form, authorization: "Bearer x" }, body: "grant_type=a" },
      400,
      "invalid_request",
    ],
    ["a large body", { headers: form, body: "x".repeat(40_000) }, 413, "invalid_request"],
    [
      "a body without length",
      { headers: { ...form, "transfer-encoding": "chunked" }, body: "x".repeat(40_000) },
      413,
      "invalid_request",
    ],
  ])("%s at the token endpoint: %j", async (_name, sent, status, error) => {
    const started = await startProxy();
    const received = await ask(started, "/token", { method: "POST", ...sent });
    expect([received.status, received.headers["content-type"]]).toEqual([
      status,
      expect.stringContaining("application/json"),
    ]);
    expect(JSON.parse(received.text)).toMatchObject({ error, error_description: expect.any(String) as string });
  });

  test("a body that is not UTF-8 is refused", async () => {
    const started = await startProxy();
    const { port } = started.http.address() as { readonly port: number };
    const socket = connect(port, "127.0.0.1");
    socket.write(
      "POST /register HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n",
    );
    socket.end(Buffer.from([0xff, 0xfe]));
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain("the body must be UTF-8");
  });

  test("a connection that ends early harms nothing", async () => {
    const started = await startProxy();
    const { port } = started.http.address() as { readonly port: number };
    const socket = connect(port, "127.0.0.1");
    socket.write(
      "POST /token HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 99\r\n\r\nclient",
    );
    await once(started.http, "request");
    socket.destroy();
    await once(socket, "close");
    expect((await ask(started, "/jwks")).status).toBe(200);
    expect(started.errors).toEqual([]);
  });

  test.each([
    ["parsed", (body: string) => Object.fromEntries(new URLSearchParams(body))],
    ["as text", (body: string) => body],
    ["as bytes", (body: string) => Buffer.from(body)],
  ])("a body that a framework has read, %s, is used", async (_name, parse) => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const code = await authorize(started, client);
    started.http.removeAllListeners("request");
    started.http.on("request", (request: IncomingMessage & { body?: unknown }, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        request.body = parse(body);
        started.proxy.listener(request, response);
      });
    });
    expect(await redeem(started.issuer, code)).toMatchObject({ status: 200 });
  });
});

describe("other origins", () => {
  const origin = "https://inspector.example";

  test.each(["/token", "/register", "/revoke", "/jwks", "/.well-known/oauth-authorization-server"])(
    "%s may be called",
    async (path) => {
      const started = await startProxy();
      const preflight = await ask(started, path, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      });
      expect(preflight).toMatchObject({
        status: 204,
        headers: {
          "access-control-allow-origin": "*",
          "access-control-allow-methods": expect.stringMatching(/POST|GET/) as string,
          "access-control-allow-headers": expect.stringContaining("content-type") as string,
        },
      });
      expect(preflight.headers).not.toHaveProperty("access-control-allow-credentials");
      const method = ["/token", "/register", "/revoke"].includes(path) ? "POST" : "GET";
      const received = await ask(started, path, { method, headers: { origin } });
      expect(received.headers["access-control-allow-origin"]).toBe("*");
    },
  );

  test.each(["/authorize", "/authorize/x", "/consent/x", "/callback"])("%s may not", async (path) => {
    const started = await startProxy();
    for (const method of ["OPTIONS", "GET"])
      expect((await ask(started, path, { method, headers: { origin } })).headers).not.toHaveProperty(
        "access-control-allow-origin",
      );
  });
});

test("every response has the headers that protect it", async () => {
  const started = await startProxy();
  const client = await register(started.issuer);
  const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier());
  for (const path of [`${url.pathname}${url.search}`, "/authorize", "/authorize/x", "/token", "/register"])
    expect((await ask(started, path)).headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'") as string,
    });
});

test("the texts of a request are escaped on the page that reports its error", async () => {
  const started = await startProxy();
  const received = await ask(started, "/authorize?client_id=%3Cscript%3E&response_type=%3Cb%3E&redirect_uri=%22%3E");
  expect(received.status).toBe(400);
  expect(received.text).not.toMatch(/<script>|<b>|">\s*"/);
});

test("a query that is too long is refused, and not stored", async () => {
  const started = await startProxy();
  const client = await register(started.issuer);
  const { pathname, search } = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier());
  const fill = (length: number): string => `${pathname}${search}${"&x=".padEnd(length - search.length + 1, "x")}`;
  expect((await ask(started, fill(8_192))).status).toBe(303);
  expect(await ask(started, fill(8_193))).toMatchObject({
    status: 414,
    text: expect.stringContaining("must not be longer than 8192 characters") as string,
  });
  expect(started.store.count("Interaction")).toBe(1);
});

test.each([
  "a\r\nset-cookie: a=b\r\n\r\n<script>",
  "\0",
  "#code=x",
  "&code=x&iss=https://evil.example",
  "%0d%0ax: y",
  "\u{1F600}\u202e",
  "a".repeat(4_000),
])("the state %j gets back to the client as it was, and changes nothing else", async (state) => {
  const started = await startProxy();
  const client = await register(started.issuer);
  const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), { state });
  const { location } = await new TestBrowser().visit(url);
  const parameters = [...(location?.searchParams ?? [])];
  expect(parameters.map(([name]) => name)).toEqual(["code", "state", "iss"]);
  expect(Object.fromEntries(parameters)).toMatchObject({ state, iss: started.issuer });
  expect(location?.hash).toBe("");
});

test("too many unfinished log-ins of one address are refused", async () => {
  const started = await startProxy({ addressOf: ({ headers }) => String(headers["x-client"]) });
  const client = await register(started.issuer);
  const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier());
  const path = `${url.pathname}${url.search}`;
  let refused: Received | undefined;
  for (let count = 0; count <= 600 && !refused; count++) {
    const received = await ask(started, path, { headers: { "x-client": "192.0.2.1" } });
    if (received.status !== 303) refused = received;
  }
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": expect.any(String) as string } });
  expect((await ask(started, path, { headers: { "x-client": "192.0.2.2" } })).status).toBe(303);
});
