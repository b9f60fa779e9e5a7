/** A protected server at two nodes: the POSTs of a client of HTTP+SSE reach another node than its stream. */
import { expect, onTestFinished, test } from "vitest";
import { InvalidTokenError, requireBearerAuth } from "../../../runtime/src/auth-server.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { McpServer } from "../../../runtime/src/server.js";

const resource = "http://localhost/sse";
const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;

/** The scopes of each token are in its text. */
const verifier = {
  issuers: ["https://issuer.example"],
  verifyAccessToken(token: string) {
    const [subject = "", ...scopes] = token.split(".");
    if (subject === "bad") throw new InvalidTokenError("inactive", "it is not valid");
    const known = { issuer: "https://issuer.example", subject, clientId: "desk", scopes, expiresAt };
    return { ...known, audience: [resource], keyThumbprint: undefined, claims: { email: `${subject}@example.com` } };
  },
};

function startNode(backplane: MemoryBackplane, appended: string[]) {
  const append = backplane.append.bind(backplane);
  backplane.append = (log, text, options) => {
    appended.push(text);
    return append(log, text, options);
  };
  const authorization = requireBearerAuth({ resource, verifier, requiredScopes: ["read"] });
  const server = new McpServer(
    { name: "protected", version: "1.0.0" },
    { backplane, stateKeys: [{ id: "k", key: new Uint8Array(32).fill(7) }] },
  );
  const seen: unknown[] = [];
  for (const [name, scopes] of [
    ["look", []],
    ["change", ["write"]],
  ] as const)
    server.registerTool(name, { scopes }, (context) => {
      const info = authorization.infoOf(context);
      seen.push(info && [info.subject, info.scopes, info.clientId, info.claims, info.token, Object.isFrozen(info)]);
      return { content: [] };
    });
  const handler = createMcpHandler(server, { authorization });
  onTestFinished(() => handler.close(0));
  const send = (path: string, token: string, message?: object): Promise<Response> =>
    handler.fetch(
      new Request(`http://localhost${path}`, {
        method: message ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${token}`,
          accept: "text/event-stream",
          ...(message && { "content-type": "application/json" }),
        },
        ...(message && { body: JSON.stringify({ jsonrpc: "2.0", ...message }) }),
      }),
    );
  return { send, seen };
}

test("the scopes of the token of each POST apply, and callbacks get its facts, but not the token", async () => {
  const backplane = new MemoryBackplane();
  const appended: string[] = [];
  const [a, b] = [startNode(backplane, appended), startNode(backplane, appended)];
  const { body } = await a.send("/sse", "ada.read");
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  let received = "";
  const readUntil = async (part: string): Promise<void> => {
    while (!received.includes(part)) received += new TextDecoder().decode((await reader.read()).value);
  };
  await readUntil("\n\n");
  const path = /data: (.*)/.exec(received)?.[1] ?? "";
  const call = (name: string, id: number): object => ({ id, method: "tools/call", params: { name, arguments: {} } });
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo };
  expect((await b.send(path, "ada.read", { id: 0, method: "initialize", params })).status).toBe(202);
  expect((await b.send(path, "ada.read", { method: "notifications/initialized" })).status).toBe(202);
  expect((await b.send(path, "ada.read", call("look", 1))).status).toBe(202);
  await readUntil('"id":1');
  expect((await b.send(path, "ada.read", call("change", 2))).status).toBe(403);
  expect((await b.send(path, "ada.read.write", call("change", 3))).status).toBe(202);
  await readUntil('"id":3');
  expect((await b.send(path, "bad", call("look", 4))).status).toBe(401);
  expect((await b.send(path, "bob.read", call("look", 5))).status).toBe(404);
  const claims = { email: "ada@example.com" };
  expect(a.seen).toEqual([
    ["ada", ["read"], "desk", claims, "", true],
    ["ada", ["read", "write"], "desk", claims, "", true],
  ]);
  expect((await a.send(path, "ada.read", call("look", 6))).status).toBe(202);
  await readUntil('"id":6');
  expect(a.seen.at(-1)).toEqual(["ada", ["read"], "desk", claims, "ada.read", true]);
  expect(b.seen).toEqual([]);
  expect(appended.length).toBeGreaterThan(0);
  for (const text of appended) expect(text).not.toMatch(/ada\.read|Bearer/);
});
