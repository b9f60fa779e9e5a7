/** Clients whose id is the URL of their metadata document: what the proxy fetches, and what it refuses. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { FetchLike } from "../../../runtime/src/http-client/fetch-like.js";
import { authorizationUrl, authorize, logIn, nativeClient, redeem, requestToken } from "./log-in.js";
import { startProxy, TestBrowser } from "./started-proxy.js";

const id = "https://client.example/metadata.json";
const document = { ...nativeClient, client_id: id };

/** A network of one document. */
function serving(content: unknown, init: ResponseInit = {}): { readonly fetch: FetchLike; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch: (url) => {
      asked.push(url.href);
      const body = typeof content === "string" ? content : JSON.stringify(content);
      return Promise.resolve(new Response(body, { headers: { "content-type": "application/json" }, ...init }));
    },
  };
}

/** What the user sees who is sent with this client id. */
async function refusal(fetch: FetchLike, clientId = id, options: object = {}): Promise<string> {
  const started = await startProxy({ metadataDocuments: { fetch, ...options } });
  const url = await authorizationUrl(started, { client_id: clientId }, oauth.generateRandomCodeVerifier());
  const { location, page } = await new TestBrowser().visit(url);
  expect(location).toBeUndefined();
  expect(started.seen).toEqual([]);
  const text = (await page?.text()) ?? "";
  const [, error, description] = /<code>(\w+)<\/code>(?:: ([^<]+))?<\/p>/.exec(text) ?? [];
  return `${page?.status} ${error}: ${description}`;
}

test("a client logs in, with any loopback port; its document is fetched once", async () => {
  const { fetch, asked } = serving({ ...document, redirect_uris: ["http://127.0.0.1/callback"] });
  const started = await startProxy({ metadataDocuments: { fetch } });
  await logIn(started, { client_id: id });
  await logIn(started, { client_id: id });
  expect(asked).toEqual([id]);
  expect(started.seen[0]).toMatchObject({ clientId: id, clientName: "tests", clientKind: "document" });
});

test("a document without an authentication method belongs to a public client", async () => {
  const { token_endpoint_auth_method: _, ...metadata } = document;
  const started = await startProxy({ metadataDocuments: { fetch: serving(metadata).fetch } });
  await logIn(started, { client_id: id });
});

describe("a document is refused", () => {
  test.each<[string, unknown, ResponseInit, RegExp]>([
    [
      "that redirects",
      "",
      { status: 302, headers: { location: "https://elsewhere.example/" } },
      /got 302, and redirects are not followed/,
    ],
    ["that does not exist", "", { status: 404 }, /with the status 200; got 404/],
    ["that is not JSON", "<html>", {}, /must be a JSON object/],
    ["that is an array", [], {}, /must be a JSON object/],
    ["with another client id", { ...document, client_id: `${id}x` }, {}, /client_id does not match/],
    ["without a client id", nativeClient, {}, /client_id does not match/],
    ["with a secret", { ...document, client_secret: "s" }, {}, /must not contain client_secret/],
    [
      "whose client has a secret",
      { ...document, token_endpoint_auth_method: "client_secret_post" },
      {},
      /shared-secret/,
    ],
    [
      "with an unknown method",
      { ...document, token_endpoint_auth_method: "private_key_jwt" },
      {},
      /token_endpoint_auth_method/,
    ],
    ["without redirect URIs", { client_id: id }, {}, /at least one redirect URI/],
    ["with http elsewhere", { ...document, redirect_uris: ["http://client.example/"] }, {}, /loopback|localhost/],
    ["with a script", { ...document, redirect_uris: ["javascript:alert(1)"] }, {}, /the scheme javascript/],
    ["with a deceptive name", { ...document, client_name: "\u202Eedualc" }, {}, /client_name/],
    ["that is huge", `{"x":"${"x".repeat(20_000)}"}`, {}, /larger than 10240 bytes/],
  ])("%s", async (_name, content, init, reason) => {
    expect(await refusal(serving(content, init).fetch)).toMatch(reason);
  });

  test("that is slow", async () => {
    const never: FetchLike = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      });
    expect(await refusal(never, id, { timeoutMs: 30 })).toMatch(/did not arrive within 30 ms/);
  });

  test("that never arrives, from a fetch that ignores its signal", async () => {
    const deaf: FetchLike = () => new Promise(() => undefined);
    expect(await refusal(deaf, id, { timeoutMs: 30 })).toMatch(/did not arrive within 30 ms/);
  });

  test("whose body is slow", async () => {
    const drip: FetchLike = () =>
      Promise.resolve(new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })));
    expect(await refusal(drip, id, { timeoutMs: 30 })).toMatch(/did not arrive within 30 ms/);
  });

  test("of a host that is not accepted, without asking it", async () => {
    const { fetch, asked } = serving(document);
    expect(await refusal(fetch, id, { hosts: ["other.example"] })).toMatch(/client.example are not accepted here/);
    expect(asked).toEqual([]);
  });

  test.each([
    ["http://client.example/metadata.json"],
    ["https://user@client.example/metadata.json"],
    ["https://client.example/metadata.json#x"],
    ["https://client.example/a/../metadata.json"],
    ["ftp://client.example/metadata.json"],
    ["file:///etc/passwd"],
  ])("%s, which is not the URL of a document, and is not fetched", async (clientId) => {
    const { fetch, asked } = serving({ ...document, client_id: clientId });
    expect(await refusal(fetch, clientId)).toContain("invalid_client");
    expect(asked).toEqual([]);
  });

  test.each([
    "https://127.0.0.1:1/x",
    "https://[::1]:1/x",
    "https://10.0.0.1/x",
    "https://169.254.169.254/latest",
    "https://localhost/x",
  ])("%s, which points inside", async (clientId) => {
    const started = await startProxy();
    const url = await authorizationUrl(started, { client_id: clientId }, oauth.generateRandomCodeVerifier());
    const { page } = await new TestBrowser().visit(url);
    expect(page?.status).toBe(400);
    const text = await page?.text();
    expect(text).toContain("the metadata document cannot be fetched");
    expect(text).not.toMatch(/ECONNREFUSED|loopback|private|reserved/);
  });

  test("when too many are fetched at once", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { fetch } = serving(document);
    const slow: FetchLike = async (url, init) => {
      await held;
      return fetch(url, init);
    };
    const started = await startProxy({ metadataDocuments: { fetch: slow, maxConcurrent: 1 } });
    const visit = async (client_id: string): ReturnType<TestBrowser["visit"]> =>
      new TestBrowser().visit(await authorizationUrl(started, { client_id }, oauth.generateRandomCodeVerifier()));
    const first = visit(id);
    const second = await visit(`${id}?2`);
    expect(await second.page?.text()).toContain("too many metadata documents");
    release();
    expect((await first).location?.searchParams.get("code")).toHaveLength(43);
  });

  test("when documents are switched off", async () => {
    const started = await startProxy({ metadataDocuments: false });
    const url = await authorizationUrl(started, { client_id: id }, oauth.generateRandomCodeVerifier());
    const { page } = await new TestBrowser().visit(url);
    expect(await page?.text()).toContain("invalid_client");
  });
});

test("the token endpoint gives the reason, too", async () => {
  const { issuer } = await startProxy({ metadataDocuments: { fetch: serving("", { status: 500 }).fetch } });
  expect(await requestToken(issuer, { grant_type: "authorization_code", client_id: id, code: "x" })).toMatchObject({
    status: 400,
    body: { error: "invalid_client", error_description: expect.stringContaining("got 500") as string },
  });
});

test("a real server inside needs to be allowed", async () => {
  const listener: RequestListener = (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const started = await startProxy({ metadataDocuments: { allow: ["127.0.0.1"] } });
  const client = { client_id: `https://127.0.0.1:${port}/x` };
  const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier());
  const { page } = await new TestBrowser().visit(url);
  // The connection is made; it fails because the server has no certificate.
  expect(await page?.text()).toContain("cannot be fetched");
});

test.each<[string, FetchLike]>([
  ["cannot be reached", () => Promise.reject(new TypeError("fetch failed"))],
  ["has an error", () => Promise.resolve(new Response("", { status: 503 }))],
])("while the host of a document %s, its client stays known for a day", async (_name, failing) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { fetch } = serving(document);
  let current: FetchLike = fetch;
  const started = await startProxy({ metadataDocuments: { fetch: (url, init) => current(url, init) } });
  await logIn(started, { client_id: id });
  current = failing;
  vi.setSystemTime(Date.now() + 3_600_000);
  await logIn(started, { client_id: id });
  vi.setSystemTime(Date.now() + 86_400_000);
  await expect(logIn(started, { client_id: id })).rejects.toThrow("metadata document");
});

test("while slow documents of others are fetched, a client that is known goes on", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { fetch, asked } = serving(document);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow: FetchLike = async (url) => {
    asked.push(url.href);
    await held;
    return new Response("", { status: 404 });
  };
  const started = await startProxy({
    metadataDocuments: { fetch: (url, init) => (url.href === id ? fetch : slow)(url, init), maxConcurrent: 1 },
  });
  await logIn(started, { client_id: id });
  vi.setSystemTime(Date.now() + 3_600_000);
  const other = requestToken(started.issuer, { grant_type: "authorization_code", client_id: `${id}?slow`, code: "x" });
  await expect.poll(() => asked).toEqual([id, `${id}?slow`]);
  await logIn(started, { client_id: id });
  expect(asked).toHaveLength(2);
  release();
  expect(await other).toMatchObject({ status: 400, body: { error: "invalid_client" } });
});

test("a document that was removed ends its client, though it was accepted before", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let current = serving(document).fetch;
  const started = await startProxy({ metadataDocuments: { fetch: (url, init) => current(url, init) } });
  await logIn(started, { client_id: id });
  current = serving("", { status: 404 }).fetch;
  vi.setSystemTime(Date.now() + 120_000);
  await expect(logIn(started, { client_id: id })).rejects.toThrow("got 404");
});

test("a document that was fetched once stays usable for tokens while it is cached", async () => {
  let isDown = false;
  const { fetch } = serving(document, { headers: { "cache-control": "max-age=600" } });
  const flaky: FetchLike = (url, init) => (isDown ? Promise.reject(new TypeError("fetch failed")) : fetch(url, init));
  const started = await startProxy({ metadataDocuments: { fetch: flaky } });
  const code = await authorize(started, { client_id: id });
  isDown = true;
  expect(await redeem(started.issuer, code)).toMatchObject({ status: 200 });
});
