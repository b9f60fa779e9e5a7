/** Hints that clients must not get are refused at registration, and corrected and reported at run time. */
import { describe, expect, test } from "vitest";
import type { Middleware } from "../../../runtime/src/connection/middleware.js";
import { McpServer, Server, type ServerContext, type ServerOptions } from "../../../runtime/src/server.js";
import { connect, info } from "../api/pair.js";

const R5 = "2026-07-28";

interface Page {
  readonly ttlMs?: unknown;
  readonly cacheScope?: unknown;
  readonly nextCursor?: string;
}

/** A low-level server whose list of tools has the given pages, by cursor. */
async function listing(pages: (cursor: string) => Page, options: ServerOptions = {}) {
  const errors: Error[] = [];
  const server = new Server(info, {
    capabilities: { tools: {} },
    onerror: (error) => void errors.push(error),
    ...options,
  });
  server.handle({ "tools/list": ({ cursor = "" }) => ({ tools: [], ...pages(cursor) }) });
  const { client, wire } = await connect(server, R5);
  const list = async (cursor?: string) => {
    await client.connection.request("tools/list", cursor === undefined ? {} : { cursor });
    const { ttlMs, cacheScope } = wire.at(-1)?.result ?? {};
    return [ttlMs, cacheScope];
  };
  return { list, errors };
}

test.each([
  [-5, "public", [0, "public"]],
  [Infinity, "public", [0, "public"]],
  ["10", "public", [0, "public"]],
  [undefined, "public", [0, "public"]],
  [10, "shared", [10, "private"]],
  [10, null, [10, "private"]],
  [Number.NaN, "everybody", [0, "private"]],
])("ttlMs %s and cacheScope %s of a handler are corrected and reported once", async (ttlMs, cacheScope, sent) => {
  const { list, errors } = await listing(() => ({ ttlMs, cacheScope }));
  expect(await list()).toEqual(sent);
  const found = errors.length;
  expect(found).toBeGreaterThan(0);
  expect(errors).toMatchObject(
    Array(found).fill({ code: "INVALID_CONFIGURATION", message: expect.stringContaining("tools/list") as string }),
  );
  expect(await list()).toEqual(sent);
  expect(errors).toHaveLength(found);
});

test("valid hints are sent as they are", async () => {
  const { list, errors } = await listing((cursor) => ({ ttlMs: 10, cacheScope: "public", nextCursor: `${cursor}x` }));
  expect([await list(), await list("x"), await list("xx"), await list("elsewhere")]).toEqual(
    Array(4).fill([10, "public"]),
  );
  expect(errors).toEqual([]);
});

describe("pages of different scope", () => {
  test.each([
    ["private", "public"],
    ["public", "private"],
  ])("%s, then %s: the later page is private, and reported", async (first, second) => {
    const { list, errors } = await listing((cursor) =>
      cursor === "" ? { ttlMs: 10, cacheScope: first, nextCursor: "2" } : { ttlMs: 10, cacheScope: second },
    );
    expect(await list()).toEqual([10, first]);
    expect(await list("2")).toEqual([10, "private"]);
    expect(errors).toMatchObject([{ message: expect.stringContaining("all pages") as string }]);
  });
});

describe("a public result of a handler that reads the principal", () => {
  const layer: Middleware<ServerContext> = (context, next) => {
    if (context.principal?.subject === "nobody") throw new Error("not allowed");
    return next();
  };

  test("is private, and reported", async () => {
    const { list, errors } = await listing(() => ({ ttlMs: 10, cacheScope: "public" }), { middleware: [layer] });
    expect(await list()).toEqual([10, "private"]);
    expect(errors).toMatchObject([{ message: expect.stringContaining("principal") as string }]);
  });

  test("also for registered items", async () => {
    const errors: Error[] = [];
    const server = new McpServer(info, {
      cacheHints: { "tools/list": { ttlMs: 10, cacheScope: "public" } },
      middleware: [layer],
      onerror: (error) => void errors.push(error),
    });
    server.registerTool("t", {}, () => ({ content: [] }));
    const { client } = await connect(server, R5);
    expect(await client.listTools()).toMatchObject({ cacheScope: "private" });
    expect(errors).toHaveLength(1);
  });

  test("stays public when nothing reads it", async () => {
    const quiet: Middleware<ServerContext> = (_context, next) => next();
    const { list, errors } = await listing(() => ({ ttlMs: 10, cacheScope: "public" }), { middleware: [quiet] });
    expect(await list()).toEqual([10, "public"]);
    expect(errors).toEqual([]);
  });
});

test.each(["tools/call", "nothing/list", "__proto__"])("hints of %s are refused, because it has none", (method) => {
  const cacheHints = Object.fromEntries([[method, { ttlMs: 1, cacheScope: "public" as const }]]);
  expect(() => new McpServer(info, { cacheHints })).toThrow(`cache hint of ${method}: its results cannot be cached`);
});
