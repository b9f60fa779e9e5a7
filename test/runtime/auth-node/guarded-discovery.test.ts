import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, isIP, type LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { discover } from "../../../runtime/src/auth/discovery/discover.js";
import { guardedFetch } from "../../../runtime/src/auth-node/guarded-fetch.js";
import type { FetchLike } from "../../../runtime/src/http-client/fetch-like.js";

const addresses: Readonly<Record<string, string>> = {
  localhost: "127.0.0.1",
  "auth.internal.example": "10.0.0.5",
  "rebind.example": "127.0.0.1",
  "cloud.example": "169.254.169.254",
  "mapped.example": "::ffff:192.168.0.1",
};

/** Resolves the names of these tests; others do not exist. */
const lookup: LookupFunction = (host, { all }, callback) => {
  const address = addresses[host];
  setImmediate(() => {
    if (address === undefined)
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), "", 4);
    else if (all) callback(null, [{ address, family: isIP(address) }]);
    else callback(null, address, isIP(address));
  });
};

/** An MCP server on this machine, which the user has named. Its documents come from `respond`. */
async function serve(respond: (origin: string) => RequestListener): Promise<URL> {
  let listener: RequestListener = () => undefined;
  const server = createServer((request, response) => listener(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  listener = respond(origin);
  return new URL(`${origin}/mcp`);
}

const json =
  (documents: Readonly<Record<string, object>>): RequestListener =>
  (request, response) => {
    const found = documents[request.url ?? ""];
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" }).end(found && JSON.stringify(found));
  };

function find(url: URL, header?: string, fetch: FetchLike = guardedFetch({ allow: ["localhost"], lookup })) {
  const { signal } = new AbortController();
  return discover({ url, wwwAuthenticate: header, options: { fetch }, signal });
}

const path = "/.well-known/oauth-protected-resource/mcp";

test("a server on this machine that the user has named is found, with an authorization server beside it", async () => {
  const url = await serve((origin) =>
    json({
      [path]: { resource: `${origin}/mcp`, authorization_servers: [origin] },
      "/.well-known/oauth-authorization-server": { issuer: origin, token_endpoint: `${origin}/token` },
    }),
  );
  await expect(find(url)).resolves.toMatchObject({ issuer: url.origin });
});

describe("a server cannot direct the client to", () => {
  const targets = [
    ["a private address", "https://auth.internal.example"],
    ["this machine under another name", "https://rebind.example"],
    ["the metadata of a cloud under a name", "https://cloud.example"],
    ["an IPv4-mapped private address", "https://mapped.example"],
    ["the metadata of a cloud", "https://169.254.169.254"],
    ["the metadata of a cloud as a number", "https://2852039166"],
    ["a private address in IPv6", "https://[::ffff:10.0.0.1]"],
    ["a private address behind NAT64", "https://[64:ff9b::10.0.0.1]"],
    ["a unique-local address", "https://[fd00:ec2::254]"],
    ["another address of this machine", "https://127.0.0.2"],
  ] as const;

  test.each(targets)("%s as its authorization server", async (_case, issuer) => {
    const url = await serve((origin) =>
      json({ [path]: { resource: `${origin}/mcp`, authorization_servers: [issuer] } }),
    );
    await expect(find(url)).rejects.toMatchObject({ reason: "insecure-url" });
  });

  test.each(targets)("%s for its metadata", async (_case, target) => {
    const url = await serve(() => json({}));
    await expect(find(url, `Bearer resource_metadata="${target}/x"`)).rejects.toMatchObject({ reason: "insecure-url" });
  });

  test.each(targets)("%s by a redirect", async (_case, location) => {
    const url = await serve(() => (_request, response) => response.writeHead(302, { location }).end());
    await expect(find(url)).rejects.toMatchObject({ reason: "insecure-url" });
  });
});

test("a name that does not resolve is a reason", async () => {
  const url = await serve((origin) =>
    json({ [path]: { resource: `${origin}/mcp`, authorization_servers: ["https://gone.example"] } }),
  );
  await expect(find(url)).rejects.toMatchObject({
    reason: "unreachable",
    message: expect.stringContaining("ENOTFOUND gone.example") as string,
  });
});

test.each<[string, FetchLike]>([
  ["guardedFetch", guardedFetch({ allow: ["127.0.0.1"] })],
  ["the global fetch", (url, init) => fetch(url, init)],
])("a compressed bomb is refused: %s", async (_case, send) => {
  const bomb = gzipSync(JSON.stringify({ resource: "x".repeat(2 ** 26) }));
  const url = await serve(() => (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
  });
  url.hostname = "127.0.0.1";
  await expect(find(url, undefined, send)).rejects.toMatchObject({ reason: "metadata-invalid" });
});
