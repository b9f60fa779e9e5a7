import { expect, test, vi } from "vitest";
import { fetchIcon, type FetchIconOptions } from "../../../runtime/src/client/http.js";
import { errorOf } from "../api/pair.js";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]);
const ascii = (text: string) => new TextEncoder().encode(text);
const svg = ascii('<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="http://www.w3.org/2000/svg"/>');
const src = "https://a.test/icon";

/** Answers requests with these responses in turn, and records the requests. */
function serving(...responses: readonly (() => Response)[]) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch = (url: URL, init: RequestInit): Promise<Response> => {
    requests.push({ url: url.href, init });
    return Promise.resolve(responses[Math.min(requests.length, responses.length) - 1]?.() ?? Response.error());
  };
  return { requests, fetch };
}

const image = (bytes: Uint8Array<ArrayBuffer>, type?: string) => () =>
  new Response(bytes, type === undefined ? {} : { headers: { "content-type": type } });
const redirect = (location: string) => () => new Response(null, { status: 302, headers: { location } });

async function contentOf(image: Blob) {
  return { bytes: new Uint8Array(await image.arrayBuffer()), mimeType: image.type };
}

test("an icon is fetched without credentials and referrer", async () => {
  const { requests, fetch } = serving(image(png, "image/png"));
  const icon = await fetchIcon({ src, mimeType: "image/png" }, { fetch, origin: "https://a.test/mcp" });
  expect(await contentOf(icon)).toEqual({ bytes: png, mimeType: "image/png" });
  expect(requests).toMatchObject([
    { url: src, init: { credentials: "omit", redirect: "manual", referrerPolicy: "no-referrer" } },
  ]);
  expect(requests[0]?.init.headers).toBeUndefined();
});

const all: FetchIconOptions = { types: ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"] };
test.each([
  ["image/jpeg", jpeg, "image/jpg", {}],
  ["image/gif", ascii("GIF89a.."), undefined, all],
  ["image/webp", ascii("RIFF....WEBPVP8 "), "image/webp", all],
  ["image/svg+xml", svg, "image/svg+xml; charset=utf-8", all],
])("%s is detected", async (mimeType, bytes, type, options) => {
  const { fetch } = serving(image(bytes, type));
  expect(await contentOf(await fetchIcon({ src }, { ...options, fetch }))).toEqual({ bytes, mimeType });
});

test.each([
  ["another type", image(jpeg, "image/png"), "INVALID_MESSAGE", /declared as image\/png, but is image\/jpeg/],
  ["a type that is not accepted", image(svg, "image/svg+xml"), "INVALID_MESSAGE", /it is image\/svg\+xml; accepted/],
  ["a page", image(ascii("<html><svg>"), "image/png"), "INVALID_MESSAGE", /not an image/],
  ["an empty body", image(new Uint8Array()), "INVALID_MESSAGE", /not an image/],
  ["too many bytes", image(new Uint8Array(2 ** 18 + 1)), "LIMIT_EXCEEDED", /262144 bytes/],
  ["an error", () => new Response("no", { status: 404 }), "HTTP_ERROR", /status 404/],
  ["a redirect without target", () => new Response(null, { status: 302 }), "HTTP_ERROR", /status 302/],
  ["a redirect to another origin", redirect("https://b.test/icon"), "HTTP_ERROR", /another origin/],
  ["a redirect to another scheme", redirect("http://a.test/icon"), "HTTP_ERROR", /another origin/],
  ["a redirect to a data URI", redirect("data:image/png;base64,"), "HTTP_ERROR", /another origin/],
  ["a redirect with a password", redirect("https://u:p@a.test/icon"), "HTTP_ERROR", /another origin/],
  ["a redirect to no URL", redirect("https://["), "HTTP_ERROR", /another origin/],
  ["endless redirects", redirect("/next"), "HTTP_ERROR", /too often/],
])("%s is refused", async (_what, response, code, message) => {
  const { fetch } = serving(response);
  expect(await errorOf(fetchIcon({ src }, { fetch }))).toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});

test("redirects within the origin are followed", async () => {
  const { requests, fetch } = serving(redirect("/next"), redirect("https://a.test/last"), image(png));
  await fetchIcon({ src }, { fetch });
  expect(requests.map(({ url }) => url)).toEqual([src, "https://a.test/next", "https://a.test/last"]);
});

test.each([
  "http://a.test/icon",
  "javascript:alert(1)",
  "file:///etc/passwd",
  " https://a.test/icon",
  "/icon",
  "https://[",
  "https://u:p@a.test/icon",
  "https://b.test/icon",
])("the source %j is refused without a request", async (source) => {
  const { requests, fetch } = serving(image(png));
  const error = await errorOf(fetchIcon({ src: source }, { fetch, origin: new URL("https://a.test") }));
  expect(error).toMatchObject({ code: "INVALID_MESSAGE" });
  expect(requests).toEqual([]);
});

test("data URIs are decoded and checked like other icons", async () => {
  const { requests, fetch } = serving();
  const data = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const options: FetchIconOptions = { fetch, origin: "https://a.test" };
  expect(await contentOf(await fetchIcon({ src: data }, options))).toEqual({ bytes: png, mimeType: "image/png" });
  const wrong = await errorOf(fetchIcon({ src: data.replace("png", "jpeg") }, options));
  expect(wrong).toMatchObject({ code: "INVALID_MESSAGE" });
  expect(await errorOf(fetchIcon({ src: data }, { maxBytes: 5 }))).toMatchObject({ code: "LIMIT_EXCEEDED" });
  expect(await errorOf(fetchIcon({ src: "data:nonsense" }, options))).toMatchObject({ code: "SEND_FAILED" });
  expect(requests).toEqual([]);
});

test("a failed, slow or aborted request rejects", async () => {
  const failing = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("no route") }));
  expect(await errorOf(fetchIcon({ src }, { fetch: failing }))).toMatchObject({ code: "SEND_FAILED" });
  const hanging = vi.fn(
    (_url: URL, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason as Error);
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  );
  expect(await errorOf(fetchIcon({ src }, { fetch: hanging, timeoutMs: 1 }))).toMatchObject({
    code: "REQUEST_TIMEOUT",
  });
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(fetchIcon({ src }, { fetch: hanging, signal })).rejects.toThrow("stop");
  expect(await errorOf(fetchIcon({ src }, { maxBytes: -1 }))).toMatchObject({ code: "INVALID_CONFIGURATION" });
});
