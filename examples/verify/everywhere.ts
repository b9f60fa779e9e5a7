import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import { Client as CoreClient, type ClientOptions } from "@mcpwright/runtime/client/core";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";

export interface Example {
  readonly name: string;
  /** The main module of each server; it serves over stdio, or over HTTP with `--http <port>`. */
  readonly servers: readonly URL[];
  readonly env?: Env;
  readonly client?: ClientOptions;
}

/** Node with the loader of the current process, so that it works with and without tsx. */
export const node = [process.execPath, ...process.execArgv] as const;

/** One revision of each era: one with `initialize` and a session, one with stateless requests. */
const revisions = ["2025-11-25", "2026-07-28"] as const;
const transports = { stdio: overStdio, HTTP: overHttp } as const;

/** Receives one connected client per server. */
type Conversation = (clients: readonly [CoreClient, ...CoreClient[]]) => Promise<void>;

/** Runs the same conversation over stdio and HTTP in both eras, each with new server processes. */
export async function everywhere({ name, servers, env = {}, client = {} }: Example, talk: Conversation): Promise<void> {
  for (const [transport, connect] of Object.entries(transports))
    for (const revision of revisions) {
      const where = `${name} over ${transport}, ${revision}`;
      const options = { ...client, revisions: clientSides.filter((side) => side.revision === revision), conversions };
      const ends: (() => Promise<void>)[] = [];
      try {
        const clients: CoreClient[] = [];
        for (const server of servers) {
          const one = new CoreClient({ name: "verify", version: "1.0.0" }, options);
          ends.unshift(() => one.close());
          const { link, stop } = await connect(server, env);
          ends.push(stop);
          await one.connect(link);
          assert.equal(one.getNegotiatedProtocolVersion(), revision);
          clients.push(one);
        }
        await within(30_000, talk(clients as [CoreClient, ...CoreClient[]]));
      } catch (error) {
        throw new Error(`${where} failed`, { cause: error });
      } finally {
        for (const end of ends) await end();
      }
      console.log(`ok ${where}`);
    }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`timed out after ${ms} ms`);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

type Env = Readonly<Record<string, string>>;

interface Way {
  readonly link: StdioClientTransport | StreamableHTTPClientTransport;
  readonly stop: () => Promise<void>;
}

function overStdio(main: URL, env: Env): Way {
  const [command, ...args] = node;
  const link = new StdioClientTransport({ command, args: [...args, fileURLToPath(main)], env, stderr: "ignore" });
  return { link, stop: () => Promise.resolve() };
}

async function overHttp(main: URL, env: Env): Promise<Way> {
  const { url, stop } = await startHttp(main, env);
  return { link: new StreamableHTTPClientTransport(url), stop };
}

/** Starts a server on a free port and waits until it prints its URL. */
async function startHttp(main: URL, env: Env): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const [command, ...args] = node;
  const child = spawn(command, [...args, fileURLToPath(main), "--http", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  const exit = once(child, "exit");
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    const url = /http:\S+/.exec(line)?.[0];
    lines.push(line);
    if (url === undefined) continue;
    child.stderr.resume();
    return {
      url,
      stop: async () => {
        child.kill();
        assert.deepEqual(await exit, [0, null], "the server must exit with code 0");
      },
    };
  }
  throw new Error(`the server did not start: ${lines.join("\n")}`);
}

/** Makes a Node server listen on a free port, which it returns. */
export async function port(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

export function textOf({ content }: ToolResult): string {
  return content.map(({ type, text }) => text ?? type).join("\n");
}

/** Calls a tool and returns the text of its result. @throws Error when the tool fails */
export async function tool(client: CoreClient, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(`${name} failed: ${textOf(result)}`);
  return textOf(result);
}

export function same(actual: unknown, expected: unknown, message?: string): void {
  // Newer versions of Node refuse an undefined message.
  if (message === undefined) assert.deepEqual(actual, expected);
  else assert.deepEqual(actual, expected, message);
}
