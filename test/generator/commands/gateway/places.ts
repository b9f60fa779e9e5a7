import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, onTestFinished } from "vitest";
import { gateway, type GatewayRunOptions } from "../../../../generator/commands/gateway/gateway.js";
import { Client, type ClientOptions } from "../../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../../runtime/src/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

let bundled: string | undefined;

/** A server whose tools say in which process they run, as the arguments of node. */
export function processServer(): string {
  if (bundled === undefined || !existsSync(bundled)) {
    bundled = join(temporaryFolder("gateway"), "process.mjs");
    const source = join(import.meta.dirname, "process-server.ts");
    buildSync({ entryPoints: [source], outfile: bundled, bundle: true, platform: "node", format: "esm" });
  }
  return bundled;
}

/** A configuration with these servers. */
export function configText(servers: Readonly<Record<string, object>>, settings: object = {}): string {
  return JSON.stringify({ mcpServers: servers, ...settings }, null, 2);
}

/** The path of a configuration with these servers. */
export function configFile(servers: Readonly<Record<string, object>>, settings: object = {}): string {
  const path = join(temporaryFolder("gateway"), "gateway.json");
  writeFileSync(path, configText(servers, settings));
  return path;
}

/** The configuration of a `processServer`. */
export function processConfig(more: object = {}): object {
  return { command: process.execPath, args: [processServer()], ...more };
}

/** The first run loads the modules. */
export const patient = { timeout: 10_000 };

/** Runs the command in this process, with a client, until the test has finished. */
export async function running(options: GatewayRunOptions, clientOptions: ClientOptions = {}) {
  const lines: string[] = [];
  const controller = new AbortController();
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const ended = gateway({
    transport: serverEnd,
    signal: controller.signal,
    ...options,
    tell: (line) => {
      lines.push(line);
      options.tell?.(line);
    },
  });
  const end = async (): Promise<void> => {
    controller.abort();
    await ended;
  };
  onTestFinished(end);
  await Promise.race([ended, expect.poll(() => lines.join("\n"), patient).toContain("Serving")]);
  const client = new Client({ name: "test", version: "1.0.0" }, clientOptions);
  await client.connect(clientEnd);
  return { client, lines, end, ended };
}

/** Serves HTTP until the test has finished. Resolves with the URL. */
export async function listening(options: GatewayRunOptions): Promise<URL> {
  const controller = new AbortController();
  const ended = { promise: Promise.resolve() };
  const url = new Promise<URL>((resolve, reject) => {
    ended.promise = gateway({ signal: controller.signal, onListening: resolve, ...options });
    ended.promise.catch(reject);
  });
  onTestFinished(async () => {
    controller.abort();
    await ended.promise.catch(() => undefined);
  });
  return url;
}

/** The names of the tools, in their order. */
export async function toolNames(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** The text that a tool returns. */
export async function textOf(client: Client, name: string): Promise<string> {
  const { content } = await client.callTool({ name });
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
