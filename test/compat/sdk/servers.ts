import type * as completableModule from "@modelcontextprotocol/sdk/server/completable.js";
import type * as mcpModule from "@modelcontextprotocol/sdk/server/mcp.js";
import type * as inMemoryModule from "@modelcontextprotocol/sdk/inMemory.js";
import * as originalCompletable from "@modelcontextprotocol/sdk/server/completable.js";
import * as originalInMemory from "@modelcontextprotocol/sdk/inMemory.js";
import * as originalMcp from "@modelcontextprotocol/sdk/server/mcp.js";
import * as ownCompletable from "@mcpwright/compat/sdk/server/completable.js";
import * as ownInMemory from "@mcpwright/compat/sdk/inMemory.js";
import * as ownMcp from "@mcpwright/compat/sdk/server/mcp.js";

/** The modules of version 1 that servers use. */
export interface Sdk {
  readonly mcp: typeof mcpModule;
  readonly completable: typeof completableModule;
  readonly inMemory: typeof inMemoryModule;
}

export const original: Sdk = { mcp: originalMcp, completable: originalCompletable, inMemory: originalInMemory };
export const own = { mcp: ownMcp, completable: ownCompletable, inMemory: ownInMemory } as unknown as Sdk;

interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly [member: string]: unknown;
}

/** A client that writes raw messages, and what it has received. */
export interface RawClient {
  readonly received: readonly Received[];
  request(method: string, params?: object): Promise<Received>;
  notify(method: string, params?: object): void;
}

/** Answers of the client to requests of the server, by method. */
export type Answers = Readonly<Record<string, object>>;

/** Connects a server to a client that has finished the handshake. */
export async function connect(
  { inMemory }: Sdk,
  server: { connect(transport: never): Promise<void> },
  capabilities: object = {},
  answers: Answers = {},
): Promise<RawClient> {
  const [near, far] = inMemory.InMemoryTransport.createLinkedPair();
  const received: Received[] = [];
  const waiting = new Map<number, (message: Received) => void>();
  near.onmessage = (message) => {
    const one = message as unknown as Received;
    received.push(one);
    if (one.method === undefined) waiting.get(one.id ?? 0)?.(one);
    else if (one.id !== undefined)
      void near.send({ jsonrpc: "2.0", id: one.id, result: answers[one.method] ?? {} } as never);
  };
  await near.start();
  await server.connect(far as never);
  let ids = 0;
  const client: RawClient = {
    received,
    request: (method, params) =>
      new Promise((resolve) => {
        const id = ++ids;
        waiting.set(id, resolve);
        void near.send({ jsonrpc: "2.0", id, method, ...(params && { params }) } as never);
      }),
    notify: (method, params) => void near.send({ jsonrpc: "2.0", method, ...(params && { params }) } as never),
  };
  const clientInfo = { name: "client", version: "1.0.0" };
  await client.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  client.notify("notifications/initialized");
  return client;
}
