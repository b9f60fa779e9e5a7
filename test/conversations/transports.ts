import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import { InMemoryTransport } from "../../runtime/src/transport/in-memory.js";
import type { Transport } from "../../runtime/src/transport/transport.js";
import { StdioClientTransport, type StdioServerParameters } from "../../runtime/src/stdio/stdio-client-transport.js";
import { runConversation, type ScriptedPeer, type Step } from "../../runtime/src/testing.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { fakeCalled } from "./fakes/index.js";
import { FakeHttp } from "./http-fake.js";
import { reach, scripted, serveNamed } from "./http.js";
import { nodeCount } from "./nodes.js";
import { type ServerName, servers, type ServerSetup } from "./servers/index.js";

/** A kind of connection to a server; each method returns the client's transport, not started. */
export interface TransportSetup {
  readonly name: string;
  /** Connects to one of our servers. */
  server(name: ServerName, setup?: ServerSetup): Promise<Transport>;
  /** The same for a script, if it differs. */
  readonly script?: (name: ServerName, setup?: ServerSetup) => Promise<Transport>;
  /** Connects to a server that a script plays. */
  fake(name: string): Promise<Transport>;
}

export const inMemory: TransportSetup = {
  name: "in memory",
  async server(name, setup = {}) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = servers[name](setup);
    await server.connect(far);
    onTestFinished(() => server.close(0));
    return near;
  },
  fake(name) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const held = runConversation(fakeCalled(name), far, { as: "server" });
    held.catch(() => undefined); // reported at the end of the test
    onTestFinished(async () => {
      await near.close();
      await held;
    });
    return Promise.resolve(near);
  },
};

export const stdio: TransportSetup = {
  name: "stdio",
  server: (name, setup = {}) => Promise.resolve(child({}, "serve", name, JSON.stringify(setup))),
  fake: (name) => Promise.resolve(child({}, "fake", name)),
};

export const http: TransportSetup = {
  name: nodeCount === 1 ? "HTTP" : `HTTP, ${nodeCount} nodes`,
  server: async (name, setup) => reach(await serveNamed(name, setup)),
  script: scripted,
  async fake(name) {
    const far = new FakeHttp();
    const place = await far.listen();
    const held = runConversation(fakeCalled(name), far, { as: "server" });
    held.catch(() => undefined); // reported at the end of the test
    const near = reach(place);
    onTestFinished(async () => {
      await near.close();
      await far.close();
      await held;
    });
    return near;
  },
};

/** One connection on which both sides can send at any time, for conversations that need that. They lead to one node. */
export const channels: readonly TransportSetup[] = nodeCount === 1 ? [inMemory, stdio] : [];

export const transportSetups: readonly TransportSetup[] = [...channels, http];

/** A child process that runs a server or plays a fake. */
export function child(parameters: Partial<StdioServerParameters>, ...args: readonly string[]): StdioClientTransport {
  const transport = new StdioClientTransport({ command: process.execPath, args: [bundle(), ...args], ...parameters });
  onTestFinished(() => transport.close());
  return transport;
}

/** Runs a conversation with one of our servers. */
export async function converse(...args: Parameters<typeof played>): Promise<void> {
  await played(...args);
}

/** Runs a conversation with one of our servers, and returns the recording. */
export async function played(
  carrier: TransportSetup,
  server: ServerName,
  steps: readonly Step[],
  setup?: ServerSetup,
): Promise<ScriptedPeer> {
  const reached = (carrier.script ?? carrier.server)(server, setup);
  return runConversation({ name: `${server}, ${carrier.name}`, steps }, await reached);
}

let bundled: string | undefined;

/** The program of the child processes as one file, bundled from the current sources. */
export function bundle(): string {
  if (bundled === undefined || !existsSync(bundled)) {
    bundled = join(temporaryFolder("conversations"), "child.mjs");
    const source = join(import.meta.dirname, "child.ts");
    buildSync({ entryPoints: [source], outfile: bundled, bundle: true, platform: "node", format: "esm" });
  }
  return bundled;
}
