import { openPage } from "./chromium.js";
import { run, type Running, startServer } from "./children.js";
import { program } from "./program.js";
import { built } from "./paths.js";
import type { LeftOut, Outcome } from "./report.js";
import { startWorker } from "./workerd.js";

/** A host in one role; the other side is on Node. */
export interface Pair {
  readonly name: string;
  readonly role: "server" | "client";
  readonly leftOut: readonly LeftOut[];
  readonly tryIt: () => Promise<readonly Outcome[]>;
}

/** All hosts, in both roles when they support both. */
export function listPairs(): readonly Pair[] {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch === "arm64" ? "aarch64" : "x64"}`;
  const bun = (): string => program("Bun", [`@oven/bun-${platform}/bin/bun`, "bun/bin/bun.exe"]);
  const deno = (): string =>
    program("Deno", [
      `@deno/${process.platform}-${process.arch}-glibc/deno`,
      `@deno/${process.platform}-${process.arch}/deno`,
    ]);
  const denoFlags = ["run", "--allow-net=127.0.0.1", "--no-lock", "--no-config"];
  return [
    serving("node:http", () => startServer(process.execPath, [built("node-http")])),
    serving("fetch on Node", () => startServer(process.execPath, [built("node-fetch")])),
    ...["1", "2"].map((major) =>
      serving(`@hono/node-server ${major}`, () => startServer(process.execPath, [built(`node-hono-${major}`)])),
    ),
    serving("Bun", () => startServer(bun(), [built("bun")])),
    serving("Deno", () => startServer(deno(), [...denoFlags, built("deno")])),
    serving("workerd", () => startWorker("worker", { SERVED: "Served" }), [
      {
        behaviour: "aborts the handler when its call is cancelled",
        revision: "2026-07-28",
        reason: "workerd reports to a worker that the client has disconnected only after the response has started",
      },
    ]),
    calling("Bun", (url) => run(bun(), [built("client"), url])),
    calling("Deno", (url) => run(deno(), [...denoFlags, built("client"), url])),
    calling("workerd", callFromWorker),
    callingFromChromium(),
  ];
}

/** A server on the host, and a client on Node. */
function serving(name: string, start: () => Promise<Running>, leftOut: readonly LeftOut[] = []): Pair {
  return {
    name,
    role: "server",
    leftOut,
    async tryIt() {
      const server = await start();
      try {
        return JSON.parse(
          await run(process.execPath, [built("client"), server.url, JSON.stringify(leftOut)]),
        ) as Outcome[];
      } finally {
        await server.end();
      }
    },
  };
}

/** A client on the host, and a server on `node:http`. */
function calling(name: string, call: (url: string) => Promise<string>, ...origins: readonly string[]): Pair {
  return {
    name,
    role: "client",
    leftOut: [],
    async tryIt() {
      const server = await startServer(process.execPath, [built("node-http"), ...origins]);
      try {
        return JSON.parse(await call(server.url)) as Outcome[];
      } finally {
        await server.end();
      }
    },
  };
}

async function callFromWorker(url: string): Promise<string> {
  const worker = await startWorker("client-worker");
  try {
    const response = await fetch(`${worker.url}?server=${encodeURIComponent(url)}`);
    return await response.text();
  } finally {
    await worker.end();
  }
}

/** The page and the server have different origins, so that CORS applies to all requests. */
function callingFromChromium(): Pair {
  return {
    name: "Chromium",
    role: "client",
    leftOut: [],
    async tryIt() {
      const page = await openPage();
      try {
        return await calling("Chromium", (url) => page.show(url), page.origin).tryIt();
      } finally {
        page.end();
      }
    },
  };
}
