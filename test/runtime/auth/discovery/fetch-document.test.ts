import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { fetchDocument, type FetchedDocument } from "../../../../runtime/src/auth/discovery/fetch-document.js";
import type { FetchLike } from "../../../../runtime/src/http-client/fetch-like.js";
import { fakeNetwork, redirect, type Reply, status } from "./fake-network.js";

const url = "https://auth.example/metadata?key=secret";
const signal = new AbortController().signal;
const limits = { timeoutMs: 10_000, maxBytes: 1_000, signal };

function get(reply: Reply, more: Readonly<Record<string, Reply>> = {}): Promise<FetchedDocument> {
  return fetchDocument(new URL(url), { ...limits, fetch: fakeNetwork({ [url]: reply, ...more }).fetch });
}

const text =
  (body: string, type = "application/json") =>
  () =>
    new Response(body, { headers: { "content-type": type } });

/** A body of these chunks that does not end; `cancelled` says whether the reader has given up. */
function endless(...chunks: readonly string[]): { readonly reply: () => Response; readonly cancelled: () => boolean } {
  let isCancelled = false;
  const encoder = new TextEncoder();
  let next = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks[next++];
        if (chunk !== undefined) controller.enqueue(encoder.encode(chunk));
        return chunk === undefined ? new Promise<void>(() => undefined) : undefined;
      },
      cancel() {
        isCancelled = true;
      },
    });
  return { reply: () => new Response(body()), cancelled: () => isCancelled };
}

describe("documents", () => {
  test.each<[string, Reply, object | undefined, number]>([
    ["a JSON object", { a: 1 }, { a: 1 }, 200],
    ["a JSON object without a content type", () => new Response(new TextEncoder().encode('{"a":1}')), { a: 1 }, 200],
    ["a JSON object with a byte order mark", text('\uFEFF{"a":1}'), { a: 1 }, 200],
    ["a JSON object of another type", text('{"a":1}', "application/octet-stream"), { a: 1 }, 200],
    [
      "an object with inherited names",
      text('{"__proto__":{"a":1}}'),
      Object.fromEntries([["__proto__", { a: 1 }]]),
      200,
    ],
    ["a web page", text("<html>", "text/html; charset=utf-8"), undefined, 200],
    ["a web page as XML", text("<html/>", "application/xhtml+xml"), undefined, 200],
    ["no content", status(204), undefined, 204],
    ["a status that is not 200", () => Response.json({ a: 1 }, { status: 201 }), undefined, 201],
    ["404", status(404), undefined, 404],
    ["500", status(500), undefined, 500],
    ["304, which is no redirect", status(304), undefined, 304],
  ])("%s", async (_case, reply, body, code) => {
    await expect(get(reply)).resolves.toMatchObject({ status: code, body });
  });

  test.each<[string, Reply]>([
    ["an array", text("[{}]")],
    ["null", text("null")],
    ["a string", text('"https://auth.example"')],
    ["no text", text("")],
    ["text that is not JSON", text("issuer: https://auth.example")],
    ["JSON that is cut off", text('{"issuer":')],
    ["a text of more bytes", text(JSON.stringify({ a: "é".repeat(500) }))],
    ["deep nesting", text(`{"a":${"[".repeat(30)}${"]".repeat(30)}}`)],
  ])("%s is refused", async (_case, reply) => {
    await expect(get(reply)).rejects.toMatchObject({ reason: "metadata-invalid" });
  });

  test.each([
    ["a value nested 100,000 times", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["100,000 values", `{"a":[${"1,".repeat(100_000)}1]}`],
  ])("%s is refused even when the limit in bytes is higher", async (_case, body) => {
    const { fetch } = fakeNetwork({ [url]: text(body) });
    await expect(fetchDocument(new URL(url), { ...limits, maxBytes: 2 ** 20, fetch })).rejects.toMatchObject({
      reason: "metadata-invalid",
    });
  });

  test("a body that never ends is cancelled at the limit", async () => {
    const { reply, cancelled } = endless(...Array.from({ length: 100 }, () => "x".repeat(100)));
    await expect(get(reply)).rejects.toMatchObject({ reason: "metadata-invalid" });
    expect(cancelled()).toBe(true);
  });

  test("the length that the headers state does not count", async () => {
    const headers = { "content-length": "2" };
    await expect(get(() => new Response("x".repeat(2_000), { headers }))).rejects.toMatchObject({
      message: expect.stringContaining("maxDocumentBytes") as string,
    });
  });

  test("messages contain no query, which may have a secret", async () => {
    const failure = await get(text("no JSON")).catch((error: unknown) => String(error));
    expect(failure).toContain("https://auth.example/metadata");
    expect(failure).not.toContain("secret");
  });
});

describe("redirects", () => {
  const other = "https://cdn.example/metadata";
  test.each<[string, Readonly<Record<string, Reply>>, string]>([
    [
      "to another path",
      { [url]: redirect("/other"), "https://auth.example/other": { a: 1 } },
      "https://auth.example/other",
    ],
    ["to another host", { [url]: redirect(other, 301), [other]: { a: 1 } }, other],
    [
      "three times",
      {
        [url]: redirect("/1", 307),
        "https://auth.example/1": redirect("/2", 308),
        "https://auth.example/2": redirect("/3", 303),
        "https://auth.example/3": { a: 1 },
      },
      "https://auth.example/3",
    ],
  ])("are followed %s", async (_case, replies, last) => {
    const network = fakeNetwork(replies);
    const found = await fetchDocument(new URL(url), { ...limits, fetch: network.fetch, headers: { "x-own": "1" } });
    expect([found.url.href, found.body]).toEqual([last, { a: 1 }]);
    expect(network.inits.every(({ redirect: mode }) => mode === "manual")).toBe(true);
    expect(network.headers.every((headers) => !headers.has("authorization"))).toBe(true);
  });

  test.each<[string, Reply, string]>([
    ["to http", redirect("http://auth.example/metadata"), "insecure-url"],
    ["to this machine", redirect("https://localhost/metadata"), "insecure-url"],
    ["to this machine by http", redirect("http://127.0.0.1:8080/"), "insecure-url"],
    ["to this machine by IPv6", redirect("http://[::1]/"), "insecure-url"],
    ["to javascript:", redirect("javascript:alert(1)"), "insecure-url"],
    ["to file:", redirect("file:///etc/passwd"), "insecure-url"],
    ["to data:", redirect("data:application/json,{}"), "insecure-url"],
    ["to a URL with a password", redirect("https://user:secret@auth.example/"), "insecure-url"],
    ["to itself for ever", redirect(url), "metadata-invalid"],
    ["to a text that is not a URL", redirect("https://"), "metadata-invalid"],
    ["without a target", status(302), "metadata-invalid"],
  ])("%s are refused", async (_case, reply, reason) => {
    await expect(get(reply)).rejects.toMatchObject({ reason });
  });

  test("that a browser hides are refused", async () => {
    const hidden = () =>
      Object.defineProperties(new Response(null), { type: { value: "opaqueredirect" }, status: { value: 0 } });
    await expect(get(hidden)).rejects.toMatchObject({ reason: "metadata-invalid" });
  });
});

describe("failures of the network", () => {
  test.each([
    ["a name that does not resolve", { code: "ENOTFOUND", message: "getaddrinfo ENOTFOUND auth.example" }],
    ["a refused connection", { code: "ECONNREFUSED", message: "connect ECONNREFUSED 192.0.2.1:443" }],
    ["an invalid certificate", { code: "CERT_HAS_EXPIRED", message: "certificate has expired" }],
  ])("%s is a reason", async (_case, { code, message }) => {
    const cause = Object.assign(new Error(message), { code });
    await expect(get(new TypeError("fetch failed", { cause }))).rejects.toMatchObject({
      reason: "unreachable",
      message: expect.stringContaining(message) as string,
    });
  });

  test("a body that breaks off is a reason", async () => {
    const broken = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) }));
    await expect(get(broken)).rejects.toMatchObject({ reason: "unreachable" });
  });

  test("in a web page, a failure may be a response that the browser hides", async () => {
    vi.stubGlobal("location", { origin: "https://app.example" });
    onTestFinished(() => void vi.unstubAllGlobals());
    const network = fakeNetwork({ [url]: new TypeError("Failed to fetch") });
    await expect(fetchDocument(new URL(url), { ...limits, fetch: network.fetch })).rejects.toMatchObject({
      data: { reason: "unreachable", status: 0 },
    });
    expect(network.inits).toMatchObject([{ credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" }]);
  });
});

describe("time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each<[string, () => FetchLike]>([
    ["no response", () => () => new Promise(() => undefined)],
    ["a body that stalls", () => () => Promise.resolve(endless('{"a":').reply())],
    [
      "a redirect that stalls",
      () => (target) => (target.pathname === "/2" ? new Promise(() => undefined) : Promise.resolve(redirect("/2")())),
    ],
  ])("%s fails when the time is up", async (_case, fetch) => {
    const found = fetchDocument(new URL(url), { ...limits, fetch: fetch() });
    const failed = expect(found).rejects.toMatchObject({
      reason: "unreachable",
      message: expect.stringContaining("10000 ms") as string,
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the signal of the request aborts when the time is up, and a body that stalls is cancelled", async () => {
    const { reply, cancelled } = endless('{"a":');
    let given: AbortSignal | null | undefined;
    const found = fetchDocument(new URL(url), {
      ...limits,
      fetch: (_target, init) => {
        given = init.signal;
        return Promise.resolve(reply());
      },
    });
    const failed = expect(found).rejects.toMatchObject({ reason: "unreachable" });
    await vi.advanceTimersByTimeAsync(10_000);
    await failed;
    expect([given?.aborted, cancelled()]).toEqual([true, true]);
  });

  test("no timer is left after a response", async () => {
    await get({ a: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("aborts", () => {
  const reason = new Error("enough");

  test("before the request, nothing is sent", async () => {
    const network = fakeNetwork({});
    const request = { ...limits, fetch: network.fetch, signal: AbortSignal.abort(reason) };
    await expect(fetchDocument(new URL(url), request)).rejects.toBe(reason);
    expect(network.requests).toEqual([]);
  });

  test.each<[string, FetchLike]>([
    ["while the response is awaited", () => new Promise(() => undefined)],
    ["while the body is read", () => Promise.resolve(endless('{"a":').reply())],
  ])("%s, with a fetch that ignores the signal", async (_case, fetch) => {
    const abort = new AbortController();
    const found = fetchDocument(new URL(url), { ...limits, fetch, signal: abort.signal });
    setImmediate(() => abort.abort(reason));
    await expect(found).rejects.toBe(reason);
  });
});

test.each([
  "http://auth.example/",
  "ftp://auth.example/",
  "https://user@auth.example/",
  "http://127.0.0.1.evil.example/",
])("%s is refused", async (target) => {
  const network = fakeNetwork({});
  await expect(fetchDocument(new URL(target), { ...limits, fetch: network.fetch })).rejects.toMatchObject({
    reason: "insecure-url",
  });
  expect(network.requests).toEqual([]);
});
