import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { AuthorizationError } from "../../../../runtime/src/auth/auth-errors.js";
import type { OAuthOptions } from "../../../../runtime/src/auth/oauth-options.js";
import { TokenEndpoint } from "../../../../runtime/src/auth/tokens/token-endpoint.js";
import { discovered, publicClient } from "./fake-endpoint.js";

let server: Server | undefined;

afterEach(async () => {
  const { promise, resolve } = deferred();
  server?.close(resolve).closeAllConnections();
  await promise;
  server = undefined;
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Requests a token with the global `fetch` from a real server. */
async function request(listener: RequestListener, options: OAuthOptions = {}): Promise<unknown> {
  const created = createServer(listener);
  server = created;
  await new Promise<void>((resolve) => created.listen(0, "127.0.0.1", resolve));
  const { port } = created.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const target = discovered({ issuer, token_endpoint: `${issuer}/token` }, { issuer });
  const tokens = new TokenEndpoint(target, options, undefined, undefined, new AbortController().signal);
  return tokens.request(publicClient, "client_credentials", { code: "a secret code" }).catch((error: unknown) => error);
}

const bomb = gzipSync(Buffer.alloc(50_000_000, " "));
const json = { "content-type": "application/json" };

it.each<[string, RequestListener, OAuthOptions, Partial<AuthorizationError["data"]>]>([
  [
    "a compressed bomb",
    (_request, response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(bomb),
    {},
    { reason: "token-invalid", status: 200 },
  ],
  [
    "broken compression",
    (_request, response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end("no gzip"),
    {},
    { reason: "unreachable" },
  ],
  [
    "an endless body",
    (_request, response) => {
      const more = (): boolean => response.write("x".repeat(65_536));
      response.writeHead(200, json).on("drain", more);
      more();
    },
    { maxDocumentBytes: 1_000_000 },
    { reason: "token-invalid" },
  ],
  [
    "a body that stops",
    (_request, response) => response.writeHead(200, json).write("{"),
    { timeoutMs: 300 },
    { reason: "unreachable" },
  ],
  ["no response", () => undefined, { timeoutMs: 300 }, { reason: "unreachable" }],
  ["a closed connection", ({ socket }) => socket.destroy(), {}, { reason: "unreachable" }],
  [
    "a body that is cut off",
    (_request, response) =>
      response.writeHead(200, { ...json, "content-length": "100" }).write("{}", () => response.destroy()),
    {},
    { reason: "unreachable" },
  ],
  [
    "a redirect, which is not followed",
    ({ url }, response) =>
      url === "/token"
        ? response.writeHead(307, { location: "/other" }).end()
        : response.writeHead(200, json).end(JSON.stringify({ access_token: "leak", token_type: "Bearer" })),
    {},
    { reason: "token-invalid", status: 307 },
  ],
])("a token endpoint on the network sends %s", async (_title, listener, options, expected) => {
  const error = await request(listener, options);
  expect(error).toBeInstanceOf(AuthorizationError);
  expect((error as AuthorizationError).data).toMatchObject(expected);
  expect((error as AuthorizationError).message).not.toContain("secret");
});

it("a token endpoint on the network sends a token", async () => {
  const tokens = await request((_request, response) =>
    response.writeHead(200, json).end(JSON.stringify({ access_token: "at", token_type: "Bearer" })),
  );
  expect(tokens).toMatchObject({ accessToken: "at", scheme: "Bearer" });
});
