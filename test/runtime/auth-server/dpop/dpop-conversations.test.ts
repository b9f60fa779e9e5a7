/** Clients of this package and protected servers of this package, with bound tokens of a real authorization server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryBackplane } from "../../../../runtime/src/backplane.js";
import type { AuthServer } from "../../../auth-server/auth-server.js";
import { freePort } from "../../../../scripts/free-port.js";
import { call, createWorld, startDpopAuthServer, type World, type WorldOptions } from "./dpop-world.js";

const revisions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

let authServer: AuthServer;
beforeAll(async () => void (authServer = await startDpopAuthServer()));
afterAll(() => authServer.close());

let start: number;
beforeEach(() => {
  // At the start of a time slot of nonces, so that every test knows when the next one starts.
  start = Math.ceil(Date.now() / 300_000) * 300_000;
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => vi.useRealTimers());

const later = (seconds: number): void => void vi.setSystemTime(start + seconds * 1_000);
const errorsOf = ({ refused }: World): unknown[] => refused.map(({ error }) => error);

/** Every request has a proof of its own, for its method and URL; only the first one has no token, and therefore none. */
function expectProofs({ sent, served }: World): void {
  const [first, ...others] = sent.filter(({ path }) => !path.startsWith("/.well-known/"));
  expect(first).toMatchObject({ status: 401, proof: undefined });
  for (const { method, path, proof } of others)
    expect(proof).toMatchObject({ htm: method, htu: `${served.url.origin}${path}` });
  expect(new Set(others.map(({ proof }) => proof?.["jti"])).size).toBe(others.length);
}

describe.each<[string, WorldOptions]>([
  ["with sessions", {}],
  ["without sessions", { sessions: false }],
  ["by streams", { responseMode: "sse" }],
])("%s", (_name, options) => {
  test.each(revisions)(
    "%s: each request has a proof, and nonces are renewed without a rejected request",
    async (revision) => {
      const world = await createWorld(authServer, options);
      const client = await world.connect(revision);
      // The first request has no token, the second one no nonce.
      expect(errorsOf(world)).toEqual([undefined, "use_dpop_nonce"]);
      for (let slot = 0; slot < 4; slot++) {
        later(slot * 300);
        expect(await Promise.all([1, 2, 3, 4, 5].map(() => call(client)))).toEqual(Array(5).fill("service"));
      }
      expect(world.refused).toHaveLength(2);
      await client.close();
      expectProofs(world);
    },
  );

  test.each(revisions)("%s: a client that was idle learns the nonce from a rejected request", async (revision) => {
    const world = await createWorld(authServer, options);
    const client = await world.connect(revision);
    const statuses = (): number[] =>
      world.sent.filter(({ message }) => message === "tools/call").map(({ status }) => status);
    later(1_200);
    expect(await call(client)).toBe("service");
    expect(await call(client)).toBe("service");
    expect(statuses()).toEqual([401, 200, 200]);
    later(2_400);
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => call(client)))).toEqual(Array(5).fill("service"));
    const together = statuses().slice(3);
    expect(together.filter((status) => status === 200)).toHaveLength(5);
    expect(together.length).toBeLessThanOrEqual(10);
    expect(new Set(errorsOf(world))).toEqual(new Set([undefined, "use_dpop_nonce"]));
    await client.close();
    expectProofs(world);
  });
});

describe("a stream", () => {
  test.each(revisions)("%s: for changes is opened again with a new proof and a new nonce", async (revision) => {
    const world = await createWorld(authServer);
    const client = await world.connect(revision);
    let changes = 0;
    client.onChanged("tools", () => changes++);
    for (const seconds of [0, 1_200]) {
      later(seconds);
      world.served.server.closeAllConnections();
      const before = changes;
      await vi.waitFor(() => {
        // The stream may not be open yet.
        world.server.registerTool(crypto.randomUUID(), {}, () => ({ content: [] }));
        expect(changes).toBeGreaterThan(before);
      });
    }
    expect(await call(client)).toBe("service");
    expect(errorsOf(world)).toContain("use_dpop_nonce");
    expect(new Set(errorsOf(world))).toEqual(new Set([undefined, "use_dpop_nonce"]));
    await client.close();
    expectProofs(world);
  });

  test("of a call is resumed after the nonce of the call has ended", async () => {
    const inTheMiddle = (): void => later(1_200);
    const world = await createWorld(authServer, { backplane: new MemoryBackplane(), inTheMiddle });
    const client = await world.connect("2025-11-25");
    const heard: number[] = [];
    const { content } = await client.callTool({ name: "work" }, { onProgress: ({ progress }) => heard.push(progress) });
    expect(content).toEqual([{ type: "text", text: "done" }]);
    expect(heard).toEqual([1, 2]);
    expect(world.sent).toContainEqual(expect.objectContaining({ method: "GET", status: 200 }));
    await client.close();
    expectProofs(world);
  });

  test("of HTTP+SSE, whose messages are posted to another path", async () => {
    const legacySse = { postPath: "/messages" };
    const world = await createWorld(authServer, { path: ["/mcp", "/messages"], legacySse });
    const client = await world.connectOverSse();
    expect(await call(client)).toBe("service");
    later(1_200);
    expect(await call(client)).toBe("service");
    expect(errorsOf(world)).toEqual([undefined, "use_dpop_nonce", "use_dpop_nonce"]);
    expect(world.sent).toContainEqual(
      expect.objectContaining({
        path: "/messages",
        proof: expect.objectContaining({ htu: `${world.served.url.origin}/messages` }) as object,
      }),
    );
    expectProofs(world);
  });
});

test("the end of a session has a proof, too", async () => {
  const world = await createWorld(authServer);
  const client = await world.connect("2025-11-25");
  later(1_200);
  await client.close();
  await vi.waitFor(() => expect(world.server.server.connections.size).toBe(0));
  const ends = world.sent.filter(({ method }) => method === "DELETE");
  expect(ends.map(({ status }) => status)).toEqual([401, 200]);
  expectProofs(world);
});

test.each(revisions)("%s: a request that is redirected gets a proof for its new URL", async (revision) => {
  const port = await freePort();
  const world = await createWorld(authServer, { path: ["/mcp", "/v2/mcp"], port });
  const [listener] = world.served.server.listeners("request") as ((...args: unknown[]) => void)[];
  world.served.server.removeAllListeners("request").on("request", (request, response) => {
    const isMoved = request.url === "/mcp" && request.headers.authorization !== undefined;
    if (isMoved) response.writeHead(307, { location: "/v2/mcp" }).end();
    else listener?.call(world.served.server, request, response);
  });
  const client = await world.connect(revision);
  expect(await call(client)).toBe("service");
  later(1_200);
  expect(await call(client)).toBe("service");
  expect(world.sent).toContainEqual(
    expect.objectContaining({
      path: "/v2/mcp",
      status: 200,
      proof: expect.objectContaining({ htu: `http://127.0.0.1:${port}/v2/mcp` }) as object,
    }),
  );
  await client.close();
  expectProofs(world);
});
