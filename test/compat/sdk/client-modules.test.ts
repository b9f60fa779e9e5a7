import { generateKeyPairSync } from "node:crypto";
import * as originalExtensions from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import * as originalMiddleware from "@modelcontextprotocol/sdk/client/middleware.js";
import * as originalWebSocket from "@modelcontextprotocol/sdk/client/websocket.js";
import * as originalUtils from "@modelcontextprotocol/sdk/shared/auth-utils.js";
import * as originalStdio from "@modelcontextprotocol/sdk/shared/stdio.js";
import * as ownExtensions from "@mcpwright/compat/sdk/client/auth-extensions.js";
import * as ownMiddleware from "@mcpwright/compat/sdk/client/middleware.js";
import * as ownWebSocket from "@mcpwright/compat/sdk/client/websocket.js";
import * as ownUtils from "@mcpwright/compat/sdk/shared/auth-utils.js";
import * as ownStdio from "@mcpwright/compat/sdk/shared/stdio.js";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";

interface Modules {
  readonly extensions: typeof originalExtensions;
  readonly middleware: typeof originalMiddleware;
  readonly webSocket: typeof originalWebSocket;
  readonly utils: typeof originalUtils;
  readonly stdio: typeof originalStdio;
}

const original: Modules = {
  extensions: originalExtensions,
  middleware: originalMiddleware,
  webSocket: originalWebSocket,
  utils: originalUtils,
  stdio: originalStdio,
};
const own = {
  extensions: ownExtensions,
  middleware: ownMiddleware,
  webSocket: ownWebSocket,
  utils: ownUtils,
  stdio: ownStdio,
} as unknown as Modules;

/** Returns what a call returns, or the class and message of what it throws. */
async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return { returned: await call() };
  } catch (error) {
    const { constructor, message } = error as Error;
    return { name: constructor.name, message };
  }
}

async function expectSame(run: (modules: Modules) => Promise<unknown>): Promise<void> {
  expect(await run(own)).toEqual(await run(original));
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("shared/stdio", () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  test.each([
    ["lines in parts", [`${ping}\r\n${ping}`, "\n", '{"jsonrpc":"2.0",', '"method":"a"}\n']],
    [
      "a character in parts",
      ['{"jsonrpc":"2.0","method":"', Buffer.from("ä").subarray(0, 1), Buffer.from("ä").subarray(1), '"}\n'],
    ],
    ["a line that is not JSON", ["nothing\n", `${ping}\n`]],
    ["too much input", ["x".repeat(200), `${ping}\n`]],
  ])("ReadBuffer reads %s as the official one does", async (_what, chunks) => {
    await expectSame(async ({ stdio }) => {
      const buffer = new stdio.ReadBuffer({ maxBufferSize: 100 });
      const outcomes: unknown[] = [];
      for (const chunk of chunks) {
        outcomes.push(await outcomeOf(() => buffer.append(Buffer.from(chunk))));
        for (let count = 0; count < 3; count++) outcomes.push(await outcomeOf(() => buffer.readMessage()));
      }
      buffer.clear();
      return [...outcomes, buffer.readMessage()];
    });
  });

  test("messages are written, and read with the same errors", async () => {
    await expectSame(async ({ stdio }) => [
      stdio.serializeMessage({ jsonrpc: "2.0", id: 1, result: {} }),
      stdio.STDIO_DEFAULT_MAX_BUFFER_SIZE,
      await outcomeOf(() => stdio.deserializeMessage(ping)),
      ((await outcomeOf(() => stdio.deserializeMessage('{"jsonrpc":"1.0"}'))) as Error).name,
    ]);
  });
});

test("shared/auth-utils compares resources as the official module does", async () => {
  const pairs = [
    ["https://a.example/mcp", "https://a.example/mcp"],
    ["https://a.example/mcp/x", "https://a.example/mcp"],
    ["https://a.example/mcpx", "https://a.example/mcp"],
    ["https://b.example/mcp", "https://a.example/mcp"],
    ["https://a.example", "https://a.example/"],
  ] as const;
  await expectSame(async ({ utils }) => [
    ...pairs.map(([requestedResource, configuredResource]) =>
      utils.checkResourceAllowed({ requestedResource, configuredResource }),
    ),
    utils.resourceUrlFromServerUrl("https://a.example/mcp#part").href,
    await outcomeOf(() => utils.resourceUrlFromServerUrl("nothing")),
  ]);
});

describe("client/auth-extensions", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const keys: readonly (readonly [string, string | Uint8Array | Record<string, unknown>, string])[] = [
    ["a key as PEM", pem, "ES256"],
    ["a key as bytes of PEM", Buffer.from(pem), "ES256"],
    ["a JWK", privateKey.export({ format: "jwk" }), "ES256"],
    ["a secret", "secret-of-at-least-thirty-two-bytes", "HS256"],
    ["a secret as bytes", Buffer.from("secret-of-at-least-thirty-two-bytes"), "HS256"],
    ["another algorithm", pem, "XX1"],
  ];

  test.each(keys)("%s signs the assertion", async (_what, key, alg) => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    try {
      await expectSame(async ({ extensions }) => {
        const addAuthentication = extensions.createPrivateKeyJwtAuth({
          issuer: "client",
          subject: "client",
          privateKey: key,
          alg,
          claims: { tenant: "a", jti: "ignored" },
        });
        const params = new URLSearchParams();
        const outcome = await outcomeOf(() => addAuthentication(new Headers(), params, "https://as.example/token"));
        const assertion = params.get("client_assertion");
        if (assertion === null) return outcome;
        const { jti, ...claims } = decodeJwt(assertion);
        return [params.get("client_assertion_type"), decodeProtectedHeader(assertion), claims, jti === "ignored"];
      });
    } finally {
      vi.useRealTimers();
    }
  });

  const common = { clientId: "client", expectedIssuer: "https://as.example" };
  type Options = ConstructorParameters<typeof originalExtensions.ClientCredentialsProvider>[0];
  test.each([
    ["ClientCredentialsProvider", { ...common, clientSecret: "s", scope: "a b" }],
    ["PrivateKeyJwtProvider", { ...common, privateKey: pem, algorithm: "ES256", clientName: "name" }],
    ["StaticPrivateKeyJwtProvider", { ...common, jwtBearerAssertion: "assertion" }],
  ] as const)("%s keeps what it has got", async (name, options) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await expectSame(async ({ extensions }) => {
      const Provider = extensions[name] as typeof originalExtensions.ClientCredentialsProvider;
      const provider = new Provider(options as unknown as Options);
      const before = [provider.redirectUrl, provider.clientMetadata, provider.clientInformation(), provider.tokens()];
      provider.saveClientInformation({ client_id: "other" });
      provider.saveTokens({ access_token: "t", token_type: "bearer" });
      const params = ["x", undefined].map((scope) => String(provider.prepareTokenRequest(scope)));
      const invalid = await outcomeOf(() => new Provider({ ...options, expectedIssuer: "" } as unknown as Options));
      return [...before, provider.clientInformation(), provider.tokens(), params, invalid];
    });
    expect(warn).not.toHaveBeenCalled();
    const Provider = own.extensions[name] as typeof originalExtensions.ClientCredentialsProvider;
    new Provider({ ...options, expectedIssuer: undefined } as unknown as Options);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe("client/middleware", () => {
  const respond = (status: number) => (): Promise<Response> =>
    Promise.resolve(new Response("body", { status, statusText: "Text", headers: { "x-a": "1" } }));

  test.each([
    ["a response", respond(200), {}],
    ["an error", respond(500), { includeRequestHeaders: true, includeResponseHeaders: true }],
    ["a failure", () => Promise.reject(new Error("down")), { statusLevel: 600 }],
    ["a response below the level", respond(200), { statusLevel: 400 }],
  ])("withLogging logs %s", async (_what, answer, options) => {
    await expectSame(async ({ middleware }) => {
      const lines: unknown[] = [];
      for (const level of ["log", "error"] as const)
        vi.spyOn(console, level).mockImplementation((line: string) =>
          lines.push(level, line.replace(/\([\d.e-]+ms/, "(")),
        );
      const logged = middleware.withLogging(options)(answer);
      const outcome = await outcomeOf(
        async () => (await logged("https://a.example/x", { headers: { "x-b": "2" } })).status,
      );
      const calls: unknown[] = [];
      const logger = ({
        duration,
        requestHeaders,
        responseHeaders,
        ...rest
      }: Parameters<originalMiddleware.RequestLogger>[0]) =>
        calls.push({ ...rest, timed: duration >= 0, has: [requestHeaders, responseHeaders].map(Boolean) });
      await outcomeOf(() => middleware.withLogging({ ...options, logger })(answer)("https://a.example/x"));
      return [outcome, lines, calls];
    });
  });

  test("applyMiddlewares and createMiddleware wrap in the same order", async () => {
    await expectSame(async ({ middleware }) => {
      const seen: string[] = [];
      const add = (name: string) =>
        middleware.createMiddleware((next, input, init) => {
          seen.push(name);
          return next(`${String(input)}${name}`, init);
        });
      const wrapped = middleware.applyMiddlewares(
        add("a"),
        add("b"),
      )((input) => {
        seen.push(String(input));
        return respond(200)();
      });
      await wrapped("https://a.example/");
      return seen;
    });
  });

  /** A provider with a token, and a server that accepts another one. */
  async function request({ middleware, extensions }: Modules, wanted: string, tokenStatus = 200): Promise<unknown> {
    const provider = new extensions.ClientCredentialsProvider({
      clientId: "client",
      clientSecret: "secret",
      expectedIssuer: "https://as.example",
    });
    const requests: string[] = [];
    const server = (input: string | URL, init?: RequestInit): Promise<Response> => {
      const { host, pathname } = new URL(input);
      requests.push(`${init?.method ?? "GET"} ${host}${pathname}`);
      if (pathname === "/token")
        return Promise.resolve(
          Response.json(
            tokenStatus === 200 ? { access_token: "new", token_type: "bearer" } : { error: "invalid_client" },
            {
              status: tokenStatus,
            },
          ),
        );
      if (pathname.startsWith("/.well-known/oauth-protected-resource"))
        return Promise.resolve(
          Response.json({ resource: "https://a.example/", authorization_servers: ["https://as.example"] }),
        );
      if (pathname.startsWith("/.well-known"))
        return Promise.resolve(
          Response.json({
            issuer: "https://as.example",
            authorization_endpoint: "https://as.example/authorize",
            token_endpoint: "https://as.example/token",
            response_types_supported: ["code"],
          }),
        );
      const isWanted = new Headers(init?.headers).get("authorization") === `Bearer ${wanted}`;
      return Promise.resolve(new Response(null, { status: isWanted ? 200 : 401 }));
    };
    const wrapped = middleware.withOAuth(provider)(server);
    const outcome = await outcomeOf(async () => (await wrapped("https://a.example/mcp")).status);
    return [outcome, requests, provider.tokens()?.access_token];
  }

  test.each([
    ["logs in and sends the request again", "new", 200],
    ["gives up after a second rejection", "other", 200],
  ])("withOAuth %s", async (_what, wanted, status) => {
    await expectSame((modules) => request(modules, wanted, status));
  });

  test("withOAuth reports a failed log-in", async () => {
    const [outcome] = (await request(own, "new", 503)) as [{ name: string; message: string }];
    const [expected] = (await request(original, "new", 503)) as [{ name: string; message: string }];
    expect(outcome.message.split(":")[0]).toBe(expected.message.split(":")[0]);
    expect(outcome.message).toMatch(/^Failed to re-authenticate: /);
  });
});

describe("client/websocket", () => {
  test("sends and receives messages, and reports what goes wrong", async () => {
    await expectSame(async ({ webSocket }) => {
      const sockets: FakeSocket[] = [];
      class FakeSocket {
        onopen?: () => void;
        onclose?: () => void;
        onerror?: (event: object) => void;
        onmessage?: (event: { data: string }) => void;
        readonly sent: string[] = [];
        constructor(
          readonly url: URL,
          readonly protocol: string,
        ) {
          sockets.push(this);
        }
        send(text: string): void {
          this.sent.push(text);
        }
        close(): void {
          this.onclose?.();
        }
      }
      vi.stubGlobal("WebSocket", FakeSocket);
      const events: unknown[] = [];
      const open = (): originalWebSocket.WebSocketClientTransport => {
        const transport = new webSocket.WebSocketClientTransport(new URL("ws://a.example/mcp"));
        transport.onmessage = (message) => events.push(message);
        transport.onerror = (error) =>
          events.push(error instanceof Error && error.name !== "Error" ? "invalid" : error.message);
        transport.onclose = () => events.push("closed");
        return transport;
      };
      const transport = open();
      events.push(await outcomeOf(() => transport.send({ jsonrpc: "2.0", method: "a" })));
      const started = transport.start();
      const [socket] = sockets;
      socket?.onopen?.();
      await started;
      events.push(socket?.url.href, socket?.protocol, await outcomeOf(() => transport.start()));
      await transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
      events.push(socket?.sent);
      for (const data of ['{"jsonrpc":"2.0","id":1,"result":{}}', "nothing", "{}"]) socket?.onmessage?.({ data });
      await transport.close();
      const second = open();
      const failed = outcomeOf(() => second.start());
      sockets[1]?.onerror?.({ type: "error", error: new Error("refused") });
      events.push(await failed);
      const third = outcomeOf(() => open().start());
      sockets[2]?.onerror?.({ type: "error" });
      events.push(await third);
      return events;
    });
  });
});
