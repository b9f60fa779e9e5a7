/** Limits with the limiters of rate-limiter-flexible. */
import { setTimeout as sleep } from "node:timers/promises";
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterUnion } from "rate-limiter-flexible";
import { expect, test, vi } from "vitest";
import {
  limitRequests,
  rateLimits,
  type RateLimit,
  type RateLimiter,
  type RateLimitsOptions,
} from "../../../runtime/src/rate-limits.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { McpServer, type RequestLimits } from "../../../runtime/src/server.js";
import type { Principal } from "../../../runtime/src/index.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { call, type Message, modern } from "../http-server/messages.js";

const memory = (points: number, more: object = {}) => new RateLimiterMemory({ points, duration: 60, ...more });
const ada: Principal = { issuer: "https://issuer.example", subject: "ada" };
const bob: Principal = { issuer: "https://issuer.example", subject: "bob" };

function start(limits: RequestLimits) {
  const errors: Error[] = [];
  const server = new McpServer(
    { name: "shop", version: "1.0.0" },
    { rateLimits: limits, onerror: (error) => errors.push(error) },
  );
  const calls: string[] = [];
  for (const name of ["search", "buy"])
    server.registerTool(name, {}, () => {
      calls.push(name);
      return { content: [{ type: "text", text: name }] };
    });
  const handler = createMcpHandler(server, { allowedHosts: "any" });
  let id = 0;
  const send = async (what: string, principal?: Principal, headers: Record<string, string> = {}): Promise<string> => {
    const more = { principal, headers };
    const sent = what.includes("/") || what === "ping" ? modern(++id, what, {}, more) : call(++id, what, {}, more);
    const response = await handler.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: sent.headers as Record<string, string>,
        body: JSON.stringify(sent.body),
      }),
      { principal },
    );
    const { error } = (await response.json()) as Message;
    return error ? `${response.status} ${error.code}` : String(response.status);
  };
  return { server, handler, errors, calls, send };
}

const ok = "200";
const no = "429 429";

interface Row {
  readonly name: string;
  readonly limits: () => readonly RateLimit[];
  readonly options?: RateLimitsOptions;
  /** What is sent, by which client, and the response. */
  readonly story: readonly (readonly [
    what: string,
    by: Principal | undefined,
    status: string,
    headers?: Record<string, string>,
  ])[];
}

const rows: readonly Row[] = [
  {
    name: "each principal has points of its own; anonymous clients without an address share theirs",
    limits: () => [{ limiter: memory(1) }],
    story: [
      ["buy", ada, ok],
      ["buy", ada, no],
      ["buy", bob, ok],
      ["buy", undefined, ok],
      ["search", undefined, no],
    ],
  },
  {
    name: "a limit with tools counts their calls only",
    limits: () => [{ limiter: memory(1), tools: ["search"] }],
    story: [
      ["search", ada, ok],
      ["search", ada, no],
      ["buy", ada, ok],
      ["buy", ada, ok],
      ["tools/list", ada, ok],
    ],
  },
  {
    name: "a limit with methods counts these, and with tools also their calls",
    limits: () => [{ limiter: memory(2), methods: ["tools/list"], tools: ["buy"] }],
    story: [
      ["search", ada, ok],
      ["tools/list", ada, ok],
      ["buy", ada, ok],
      ["tools/list", ada, no],
      ["buy", ada, no],
      ["search", ada, ok],
    ],
  },
  {
    name: "a request needs points of every limit; those after a refusal are not taken",
    limits: () => [{ limiter: memory(1), tools: ["search"] }, { limiter: memory(3) }],
    story: [
      ["search", ada, ok],
      ["search", ada, no],
      ["buy", ada, ok],
      ["buy", ada, ok],
      ["buy", ada, no],
    ],
  },
  {
    name: "costs are numbers or functions; a request that costs nothing is not counted",
    limits: () => [{ limiter: memory(5), cost: ({ tool }) => (tool === "search" ? 4 : tool === "buy" ? 1 : 0) }],
    story: [
      ["tools/list", ada, ok],
      ["search", ada, ok],
      ["buy", ada, ok],
      ["buy", ada, no],
      ["tools/list", ada, ok],
    ],
  },
  {
    name: "a cost as a number",
    limits: () => [{ limiter: memory(5), cost: 3 }],
    story: [
      ["buy", ada, ok],
      ["buy", ada, no],
    ],
  },
  {
    name: "a key of the user's own, and the default where it returns none",
    limits: () => [{ limiter: memory(1) }],
    options: { keyOf: ({ http }) => http?.header("x-key") },
    story: [
      ["buy", ada, ok, { "x-key": "a" }],
      ["buy", bob, no, { "x-key": "a" }],
      ["buy", bob, ok, { "x-key": "b".repeat(10_000) }],
      ["buy", ada, no, { "x-key": "b".repeat(10_000) }],
      ["buy", ada, ok, { "x-key": `${"b".repeat(9_999)}c` }],
      ["buy", ada, ok],
      ["buy", ada, no],
    ],
  },
  {
    name: "limiters that join others",
    limits: () => [
      {
        limiter: new RateLimiterUnion(memory(2, { keyPrefix: "a" }), memory(9, { keyPrefix: "b" })),
        tools: ["search"],
      },
      { limiter: new BurstyRateLimiter(memory(1), memory(2)), tools: ["buy"] },
    ],
    story: [
      ["search", ada, ok],
      ["search", ada, ok],
      ["search", ada, no],
      ["buy", ada, ok],
      ["buy", ada, ok],
      ["buy", ada, ok],
      ["buy", ada, no],
    ],
  },
];

test.each(rows)("$name", async ({ limits, options, story }) => {
  const { send, errors } = start(rateLimits(limits(), options));
  for (const [index, [what, by, status, headers]] of story.entries())
    expect([index, await send(what, by, headers)]).toEqual([index, status]);
  expect(errors).toEqual([]);
});

test("points come back when their time is over", async () => {
  const { send } = start(rateLimits([{ limiter: new RateLimiterMemory({ points: 1, duration: 1 }) }]));
  expect([await send("buy"), await send("buy")]).toEqual([ok, no]);
  await sleep(1_100);
  expect(await send("buy")).toBe(ok);
});

test("of 200 requests at the same time, exactly as many run as there are points", async () => {
  const { send, calls } = start(rateLimits([{ limiter: memory(50) }]));
  const all = await Promise.all(Array.from({ length: 200 }, () => send("buy", ada)));
  expect([all.filter((one) => one === ok).length, all.filter((one) => one === no).length, calls.length]).toEqual([
    50, 150, 50,
  ]);
});

test("in memory, the client gets the error and the time to wait", async () => {
  const { server } = start(rateLimits([{ limiter: memory(2) }]));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const received: Message[] = [];
  near.onmessage = (message) => void received.push(message as Message);
  await near.start();
  const sent = Array.from({ length: 3 }, (_, id) => modern(id, "tools/list").body);
  for (const one of sent) near.send(one as never);
  await vi.waitFor(() => expect(received.length).toBe(3));
  const refused = received.find(({ error }) => error);
  expect(refused).toMatchObject({ id: 2, error: { code: 429, message: "Too many requests; try again in 60 s" } });
  const { retryAfterMs } = refused?.error?.data as { readonly retryAfterMs: number };
  expect(retryAfterMs).toBeGreaterThan(58_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test("pings are counted only if a limit names the method", async () => {
  const methods: string[] = [];
  const limiter: RateLimiter = { consume: () => Promise.resolve() };
  const counting = (limit: Omit<RateLimit, "limiter">) => ({
    ...limit,
    limiter,
    cost: ({ method }: { readonly method: string }) => methods.push(method) && 1,
  });
  const limits = [rateLimits([counting({})]), rateLimits([counting({ methods: ["ping"] })])];
  for (const one of limits)
    for (const method of ["ping", "tools/list"])
      await one({ method, params: undefined, extra: undefined, done: false } as never, () => undefined);
  expect(methods).toEqual(["tools/list", "ping"]);
});

const down: RateLimiter = { consume: () => Promise.reject(new Error("connection refused")) };
const silent: RateLimiter = { consume: () => new Promise(() => undefined) };

test.each([
  ["fails", down, "admit", ok, "requests are admitted: connection refused"],
  ["fails", down, "refuse", "503 -32603", "requests are refused: connection refused"],
  ["is silent", silent, "admit", ok, "requests are admitted: the store did not respond within 20 ms"],
  ["is silent", silent, "refuse", "503 -32603", "requests are refused: the store did not respond within 20 ms"],
] as const)("a store that %s: %s %s", async (_, limiter, onStoreFailure, status, why) => {
  const { send, errors } = start(rateLimits([{ limiter }], { onStoreFailure, storeTimeoutMs: 20 }));
  expect([await send("buy"), await send("buy")]).toEqual([status, status]);
  expect(errors).toMatchObject([{ code: "STORE_FAILED", message: `a rate limit cannot be checked, so ${why}` }]);
});

test("one limit whose store fails does not lift the others", async () => {
  const { send } = start(rateLimits([{ limiter: down }, { limiter: memory(1) }]));
  expect([await send("buy"), await send("buy")]).toEqual([ok, no]);
});

test.each([
  ["no limiter", [{ limiter: undefined }], {}, "limiter must be a limiter of rate-limiter-flexible; got undefined"],
  ["a negative cost", [{ limiter: down, cost: -1 }], {}, "cost must be a whole number that is 0 or more, not -1"],
  ["half a point", [{ limiter: down, cost: 0.5 }], {}, "cost must be a whole number that is 0 or more, not 0.5"],
  [
    "a cost that no client has",
    [{ limiter: memory(5), cost: 6 }],
    {},
    "cost must be at most the points of the limiter, 5: not 6",
  ],
  ["another policy", [{ limiter: down }], { onStoreFailure: "ignore" }, 'onStoreFailure must be "admit" or "refuse"'],
  ["a negative number", [{ limiter: down }], { maxClients: -1 }, "maxClients must be 0 or more, not -1"],
])("rejects %s", (_, limits, options, message) => {
  expect(() => rateLimits(limits as readonly RateLimit[], options as RateLimitsOptions)).toThrow(message);
});

test.each([Number.NaN, -1, 0.5, "2", 6])(
  "a cost function that returns %s is reported, and the request does not run",
  async (cost) => {
    const { send, calls, errors } = start(rateLimits([{ limiter: memory(5), cost: () => cost as number }]));
    expect(await send("buy")).toBe("200 -32603");
    expect(calls).toEqual([]);
    expect(errors).toMatchObject([{ code: "INVALID_CONFIGURATION" }]);
  },
);

test("5,000 principals take the memory of maxClients, and do not take the points of known ones", async () => {
  const limiter = memory(2);
  const keys = new Set<string>();
  const consume = (key: string, points?: number) => {
    keys.add(key);
    return limiter.consume(key, points);
  };
  const limits = rateLimits([{ limiter: { consume } }], { maxClients: 100 });
  const connection = { server: { refused: 0, options: {} } };
  const run = async (principal: Principal): Promise<boolean> => {
    const context = { method: "tools/list", params: undefined, extra: { principal }, done: false, connection };
    return Promise.resolve(limits(context as never, () => true)).then(
      () => true,
      () => false,
    );
  };
  expect(await run(ada)).toBe(true);
  for (let from = 0; from < 5_000; from += 1_000)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        run({ issuer: "https://issuer.example", subject: `s${from + index}` }),
      ),
    );
  expect(keys.size).toBe(101);
  expect([await run(ada), await run(ada), await run(bob)]).toEqual([true, false, false]);
  expect(connection.server.refused).toBe(5_000 - 99);
});

test("limits of one's own can be combined with limiters", async () => {
  const banned = limitRequests(({ principal }) =>
    principal?.subject === "bob" ? { message: "You are banned" } : undefined,
  );
  const counted = rateLimits([{ limiter: memory(1) }]);
  const { send } = start((context, run) => banned(context, () => counted(context, run)));
  expect([await send("buy", bob), await send("buy", ada), await send("buy", ada)]).toEqual([no, ok, no]);
});
