/** The paths that `serveHttp` serves without authorization, next to those of the MCP server and of the fallback. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { requireBearerAuth } from "../../../runtime/src/auth-server.js";
import { serveHttp, type ServeHttpOptions } from "../../../runtime/src/node.js";
import { verifierOf } from "../auth-server/requests.js";
import { Subject } from "./subject.js";

const wellKnown = "/.well-known/oauth-protected-resource";
const resource = "https://mcp.example/mcp";

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Starts a server. @returns a function that sends a request with exactly this target */
async function start(options: ServeHttpOptions = {}) {
  const authorization = requireBearerAuth({ resource, verifier: verifierOf({}) });
  const served = await serveHttp(new Subject().server, { allowedHosts: ["mcp.example"], authorization, ...options });
  onTestFinished(() => served.close());
  return async (method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const { port } = served.url;
    const sent = request({ host: "127.0.0.1", port, method, path, headers: { host: "mcp.example", ...headers } });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
}

const fallback: ServeHttpOptions["fallback"] = (_request, response) => void response.writeHead(418).end("fallback");

/** `metadata`: the document; `head`: its headers only; a number: the status. */
type Expected = "metadata" | "head" | number;

const rows: readonly (readonly [string, string, Expected])[] = [
  ["GET", wellKnown, "metadata"],
  ["GET", `${wellKnown}/mcp`, "metadata"],
  ["GET", `${wellKnown}?resource=https://evil.example`, "metadata"],
  ["GET", `${wellKnown}/mcp?`, "metadata"],
  ["GET", `${wellKnown}/mcp?a?b`, "metadata"],
  ["GET", `http://mcp.example${wellKnown}/mcp`, "metadata"],
  ["GET", `http://mcp.example${wellKnown}/mcp?a=b`, "metadata"],
  ["HEAD", wellKnown, "head"],
  ["HEAD", `${wellKnown}/mcp?a=b`, "head"],
  ["OPTIONS", wellKnown, 204],
  ["OPTIONS", `${wellKnown}/mcp?a=b`, 204],
  ["POST", `${wellKnown}/mcp`, 405],
  ["DELETE", wellKnown, 405],
  // The paths of the MCP server need a token.
  ["GET", "/mcp", 401],
  ["POST", "/mcp", 401],
  ["DELETE", "/mcp?a=b", 401],
  ["POST", `/mcp?x=${wellKnown}`, 401],
  // All others are those of the fallback, also when they resemble the documents.
  ["GET", "/", 418],
  ["GET", `${wellKnown}/`, 418],
  ["GET", `${wellKnown}/mcp/`, 418],
  ["GET", `${wellKnown}/other`, 418],
  ["GET", `${wellKnown}%2Fmcp`, 418],
  ["GET", `/${wellKnown}`, 418],
  ["GET", `${wellKnown}/../../mcp`, 418],
  ["GET", wellKnown.toUpperCase(), 418],
  ["GET", `${wellKnown};a`, 418],
  ["GET", `/mcp${wellKnown}`, 418],
  ["GET", "/.well-known/oauth-authorization-server", 418],
  ["OPTIONS", "/other", 418],
];

test.each(rows)("%s %s: %s", async (method, path, expected) => {
  for (const options of [{ fallback }, {}]) {
    const send = await start(options);
    const { status, headers, body } = await send(method, path, { origin: "https://page.example" });
    if (typeof expected === "number" && path.startsWith("/mcp") && expected === 401) {
      // A page of another origin gets no response at all; other clients learn where the document is.
      expect(status).toBe(403);
      const plain = await send(method, path);
      expect(plain.status).toBe(401);
      expect(plain.headers["www-authenticate"]).toContain(`resource_metadata="https://mcp.example${wellKnown}/mcp"`);
      continue;
    }
    if (expected === 418) {
      expect(status).toBe("fallback" in options ? 418 : 404);
      expect(body).toBe("fallback" in options ? "fallback" : "");
      continue;
    }
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers.allow).toBe("GET, HEAD, OPTIONS");
    expect(status).toBe(typeof expected === "number" ? expected : 200);
    if (typeof expected === "number") continue;
    expect(headers["content-type"]).toBe("application/json");
    if (expected === "head") expect(body).toBe("");
    else expect(JSON.parse(body)).toMatchObject({ resource, authorization_servers: [expect.any(String)] });
  }
});

test("the documents are those of the resource, whichever paths the server has", async () => {
  const send = await start({ path: ["/v1", "/v2"], fallback });
  expect((await send("GET", `${wellKnown}/mcp`)).status).toBe(200);
  expect((await send("GET", `${wellKnown}/v1`)).status).toBe(418);
  expect((await send("POST", "/v2")).status).toBe(401);
  expect((await send("POST", "/mcp")).status).toBe(418);
});

test("they are served to this host only", async () => {
  const send = await start();
  expect((await send("GET", wellKnown, { host: "evil.example" })).status).toBe(403);
});

test("without an authorization, they are paths of the fallback", async () => {
  const served = await serveHttp(new Subject().server, { fallback });
  onTestFinished(() => served.close());
  expect((await fetch(new URL(wellKnown, served.url))).status).toBe(418);
});
