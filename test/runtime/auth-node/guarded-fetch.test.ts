import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { guardedFetch } from "../../../runtime/src/auth-node/guarded-fetch.js";
import { deferred } from "../../../runtime/src/timing/deferred.js";

const pem = (name: string): string =>
  readFileSync(new URL(`../../generator/shared/sessions/fixtures/self-signed.${name}.pem`, import.meta.url), "utf8");
const get: RequestInit = { redirect: "manual" };

async function serve(listener: RequestListener): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

/** Resolves every name to these addresses, in turn. */
function resolveTo(...answers: readonly (readonly string[])[]): LookupFunction & { readonly names: readonly string[] } {
  const names: string[] = [];
  const lookup: LookupFunction = (host, { all }, callback) => {
    const addresses = answers[Math.min(names.length, answers.length - 1)] ?? [];
    names.push(host);
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(() => {
      if (all) callback(null, found);
      else callback(null, found[0]?.address ?? "", found[0]?.family);
    });
  };
  return Object.assign(lookup, { names });
}

describe("addresses", () => {
  test.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://127.0.0.1./",
    "http://①②⑦.0.0.1/",
    "http://0/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://172.16.0.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/",
    "http://0xa9fea9fe/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::169.254.169.254]/",
    "http://[2002:7f00:1::]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[ff02::1]/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
  ])("%s is refused", async (url) => {
    const lookup = resolveTo(["127.0.0.1"]);
    await expect(guardedFetch({ lookup })(new URL(url), get)).rejects.toMatchObject({ reason: "insecure-url" });
    expect(lookup.names).toEqual([]);
  });

  test.each([
    ["a name of this machine", ["127.0.0.1"]],
    ["a name in a private network", ["10.1.2.3"]],
    ["a name of the metadata of a cloud", ["169.254.169.254"]],
    ["an IPv4-mapped address", ["::ffff:192.168.0.1"]],
    ["one address among public ones", ["93.184.215.14", "127.0.0.1"]],
  ])("%s is refused", async (_case, addresses) => {
    let requests = 0;
    const { port } = await serve((_request, response) => {
      requests++;
      response.end();
    });
    const lookup = resolveTo(addresses);
    await expect(guardedFetch({ lookup })(new URL(`http://evil.example:${port}/`), get)).rejects.toMatchObject({
      reason: "insecure-url",
      message: expect.stringContaining("evil.example") as string,
    });
    expect(requests).toBe(0);
    expect(lookup.names).toEqual(["evil.example"]);
  });

  test("the real name localhost is refused", async () => {
    await expect(guardedFetch()(new URL("http://localhost:9/"), get)).rejects.toMatchObject({ reason: "insecure-url" });
  });

  test("a name that resolves to another address later is checked for each request", async () => {
    const { port } = await serve((_request, response) => response.end("ok"));
    const url = new URL(`http://rebind.example:${port}/`);
    const lookup = resolveTo(["127.0.0.1"], ["169.254.169.254"]);
    const fetch = guardedFetch({ lookup, allow: ["rebind.example"] });
    await expect((await fetch(url, get)).text()).resolves.toBe("ok");
    await expect(fetch(url, get)).rejects.toMatchObject({ reason: "insecure-url" });
    expect(lookup.names).toEqual(["rebind.example", "rebind.example"]);
  });

  test.each<[string, string, Parameters<typeof guardedFetch>[0]]>([
    ["a named address", "127.0.0.1", { allow: ["127.0.0.1"] }],
    ["a named address in another spelling", "127.0.0.1", { allow: ["127.1"] }],
    ["a named IPv6 address", "[::ffff:7f00:1]", { allow: ["::ffff:127.0.0.1"] }],
    ["a named IPv6 address in brackets", "[::ffff:7f00:1]", { allow: ["[::ffff:7f00:1]"] }],
    ["a named host of any case", "Corp.Example", { allow: ["corp.EXAMPLE"], lookup: resolveTo(["127.0.0.1"]) }],
    ["localhost", "localhost", { allow: ["localhost"], lookup: resolveTo(["127.0.0.1"]) }],
    [
      "what a function accepts",
      "corp.example",
      { allow: (host, kind) => `${host} ${kind}` === "corp.example loopback", lookup: resolveTo(["127.0.0.1"]) },
    ],
  ])("%s is allowed", async (_case, host, options) => {
    const { port } = await serve((_request, response) => response.end("ok"));
    const response = await guardedFetch(options)(new URL(`http://${host}:${port}/`), get);
    await expect(response.text()).resolves.toBe("ok");
  });

  test.each([
    ["another host", "other.example", ["corp.example"]],
    ["a host below a named one", "a.corp.example", ["corp.example"]],
    ["another address of the same network", "127.0.0.2", ["127.0.0.1"]],
  ])("naming a host does not allow %s", async (_case, host, allow) => {
    const fetch = guardedFetch({ allow, lookup: resolveTo(["10.0.0.1"]) });
    await expect(fetch(new URL(`http://${host}/`), get)).rejects.toMatchObject({ reason: "insecure-url" });
  });

  test.each(["https://auth.example", "auth.example:8443", "auth.example/", "user@auth.example", "", "a b", "[::1]:80"])(
    "allow: %j is not a host",
    (entry) => {
      expect(() => guardedFetch({ allow: [entry] })).toThrow(
        expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error,
      );
    },
  );
});

describe("requests", () => {
  async function echo(): Promise<{
    readonly url: URL;
    readonly received: {
      readonly method: string;
      readonly headers: IncomingMessage["headers"];
      readonly body: string;
    }[];
  }> {
    const received: { method: string; headers: IncomingMessage["headers"]; body: string }[] = [];
    const { port } = await serve((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        received.push({ method: request.method ?? "", headers: request.headers, body });
        response.end("ok");
      });
    });
    return { url: new URL(`http://127.0.0.1:${port}/path?query=1`), received };
  }
  const fetch = guardedFetch({ allow: ["127.0.0.1"] });

  test.each<[string, RequestInit, object]>([
    ["GET", {}, { method: "GET", body: "" }],
    [
      "headers",
      { headers: new Headers({ authorization: "Basic eA==", "accept-encoding": "identity" }) },
      { headers: expect.objectContaining({ authorization: "Basic eA==", "accept-encoding": "identity" }) as object },
    ],
    [
      "POST with parameters",
      { method: "POST", body: new URLSearchParams({ a: "1 2", b: "é" }) },
      {
        method: "POST",
        body: "a=1+2&b=%C3%A9",
        headers: expect.objectContaining({
          "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
          "content-length": "14",
        }) as object,
      },
    ],
    [
      "POST with text",
      { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
      { body: "{}", headers: expect.objectContaining({ "content-type": "application/json" }) as object },
    ],
    [
      "POST without a body",
      { method: "POST" },
      { headers: expect.objectContaining({ "content-length": "0" }) as object },
    ],
  ])("%s", async (_case, init, expected) => {
    const { url, received } = await echo();
    const response = await fetch(url, init);
    expect(response).toBeInstanceOf(Response);
    expect(response.url).toBe(url.href);
    await expect(response.text()).resolves.toBe("ok");
    expect(received).toMatchObject([expected]);
  });

  test.each(["ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "https://user:secret@example.com/"])(
    "%s is refused",
    async (url) => {
      await expect(fetch(new URL(url), get)).rejects.toBeInstanceOf(TypeError);
    },
  );

  test("a name that does not resolve fails like the global fetch", async () => {
    const error = Object.assign(new Error("getaddrinfo ENOTFOUND gone.example"), { code: "ENOTFOUND" });
    const lookup: LookupFunction = (_host, _options, callback) => setImmediate(() => callback(error, "", 4));
    await expect(guardedFetch({ lookup })(new URL("https://gone.example/"), get)).rejects.toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: error,
    });
  });

  test("a certificate that is not trusted fails like the global fetch", async () => {
    const server = createSecureServer({ key: pem("key"), cert: pem("cert") }, (_request, response) => response.end());
    server.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await expect(fetch(new URL(`https://127.0.0.1:${port}/`), get)).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    });
  });

  test("a closed port fails like the global fetch", async () => {
    const { port, server } = await serve(() => undefined);
    server.close();
    await expect(fetch(new URL(`http://127.0.0.1:${port}/`), get)).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "ECONNREFUSED" },
    });
  });
});

describe("responses", () => {
  const fetch = guardedFetch({ allow: ["127.0.0.1"] });
  const text = "metadata ".repeat(1_000);

  test.each<[string, string, Uint8Array | string]>([
    ["without a coding", "", text],
    ["as identity", "identity", text],
    ["gzip", "gzip", gzipSync(text)],
    ["x-gzip", "X-GZIP", gzipSync(text)],
    ["deflate", "deflate", deflateSync(text)],
    ["deflate without a header", "deflate", deflateRawSync(text)],
    ["br", "br", brotliCompressSync(text)],
    ["several codings", "deflate, gzip", gzipSync(deflateSync(text))],
  ])("are decompressed: %s", async (_case, coding, body) => {
    const { port } = await serve((_request, response) => {
      if (coding !== "") response.setHeader("content-encoding", coding);
      response.end(body);
    });
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    await expect(response.text()).resolves.toBe(text);
  });

  test.each(["gzip", "deflate", "br"])("an empty body of the coding %s is empty", async (coding) => {
    const { port } = await serve((_request, response) => response.setHeader("content-encoding", coding).end());
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    await expect(response.text()).resolves.toBe("");
  });

  test.each([
    ["an unknown coding", "zstd"],
    ["too many codings", "gzip, gzip, gzip, gzip"],
  ])("%s is left as it is", async (_case, coding) => {
    const { port } = await serve((_request, response) => response.setHeader("content-encoding", coding).end("raw"));
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    expect(response.headers.get("content-encoding")).toBe(coding);
    await expect(response.text()).resolves.toBe("raw");
  });

  test("a broken compressed body fails while it is read", async () => {
    const { port } = await serve((_request, response) => response.setHeader("content-encoding", "gzip").end("no gzip"));
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    await expect(response.text()).rejects.toMatchObject({ message: "terminated" });
  });

  test("a body that the server cuts off fails while it is read", async () => {
    const { port } = await serve((_request, response) => {
      response.setHeader("content-length", "10").write("half");
      setImmediate(() => response.destroy());
    });
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    await expect(response.text()).rejects.toMatchObject({ message: "terminated" });
  });

  test("a compressed bomb is decompressed only as far as it is read", async () => {
    const { port } = await serve((_request, response) => {
      response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(2 ** 28)));
    });
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    const before = process.memoryUsage().arrayBuffers;
    const reader = response.body?.getReader();
    const first = (await reader?.read()) as { readonly value?: Uint8Array } | undefined;
    expect(first?.value?.byteLength).toBeLessThan(2 ** 20);
    await reader?.cancel();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
  });

  test.each([204, 304])("status %d has no body", async (status) => {
    const { port } = await serve((_request, response) => response.writeHead(status).end());
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    expect(response).toMatchObject({ status, body: null });
  });

  test("HEAD has headers and no body", async () => {
    const { port } = await serve((_request, response) => response.writeHead(200, { "content-length": "10" }).end());
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), { ...get, method: "HEAD" });
    expect(response.headers.get("content-length")).toBe("10");
    expect(response.body).toBeNull();
  });

  test("repeated headers are kept", async () => {
    const { port } = await serve((_request, response) =>
      response.setHeader("www-authenticate", ["Basic", "Bearer"]).setHeader("set-cookie", ["a=1", "b=2"]).end(),
    );
    const { headers } = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
    expect(headers.get("www-authenticate")).toBe("Basic, Bearer");
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  test("redirects are returned, or fail when the caller wants to follow them", async () => {
    const { port } = await serve((_request, response) =>
      response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
    );
    const url = new URL(`http://127.0.0.1:${port}/`);
    const response = await fetch(url, get);
    expect([response.status, response.headers.get("location")]).toEqual([302, "http://10.0.0.1/"]);
    await expect(fetch(url, {})).rejects.toThrow(/does not follow/);
  });

  test("an invalid status fails, also where a host has replaced Response", async () => {
    const { port } = await serve((_request, response) => response.writeHead(999).end());
    const failure = {
      message: "fetch failed",
      cause: { message: "the server sent 999, which is not a status of HTTP" },
    };
    const url = new URL(`http://127.0.0.1:${port}/`);
    await expect(fetch(url, get)).rejects.toMatchObject(failure);
    class Unchecked {
      constructor(readonly body: unknown) {}
    }
    vi.stubGlobal("Response", Unchecked);
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(fetch(url, get)).rejects.toMatchObject(failure);
  });
});

describe("aborts", () => {
  const fetch = guardedFetch({ allow: ["127.0.0.1"] });
  const reason = new Error("enough");

  test("before the request", async () => {
    await expect(fetch(new URL("http://127.0.0.1:9/"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("while the response is awaited", async () => {
    const abort = new AbortController();
    const { port } = await serve(() => abort.abort(reason));
    await expect(fetch(new URL(`http://127.0.0.1:${port}/`), { signal: abort.signal })).rejects.toBe(reason);
  });

  test("while the body is read, and the connection closes", async () => {
    const abort = new AbortController();
    const closed = deferred();
    const { port } = await serve((request, response) => {
      request.socket.on("close", () => closed.resolve());
      response.write("start");
    });
    const response = await fetch(new URL(`http://127.0.0.1:${port}/`), { signal: abort.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const rest = reader?.read();
    abort.abort(reason);
    await expect(rest).rejects.toBe(reason);
    await closed.promise;
  });

  test("cancelling the body closes the connection", async () => {
    const closed = new Promise<void>((resolve) => {
      void serve((request, response) => {
        request.socket.on("close", () => resolve());
        response.write("start");
      }).then(async ({ port }) => {
        const response = await fetch(new URL(`http://127.0.0.1:${port}/`), get);
        await response.body?.cancel();
      });
    });
    await closed;
  });
});
