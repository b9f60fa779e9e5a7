import { clientSides } from "@mcpwright/protocol/client-sides";
import { expect, onTestFinished } from "vitest";
import { Client, type ClientOptions } from "../../../runtime/src/client.js";
import { InMemoryTransport, McpError } from "../../../runtime/src/index.js";
import type { McpServer, Server, ServerConnection } from "../../../runtime/src/server.js";

export type Revision = (typeof clientSides)[number]["revision"];

/** Oldest first. */
export const revisions: readonly Revision[] = clientSides.map(({ revision }) => revision).reverse();
export const handshakeEra = revisions.slice(0, 4);
/** One revision of each era. */
export const eras = ["2025-11-25", "2026-07-28"] as const satisfies readonly Revision[];

export const info = { name: "test", version: "1.0.0" };

/** A message as the client saw it on the wire. */
export interface Traced {
  readonly direction: "in" | "out";
  readonly method?: string;
  readonly id?: unknown;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Pair {
  readonly client: Client;
  /** The server's end. */
  readonly connection: ServerConnection;
  /** All messages so far. */
  readonly wire: readonly Traced[];
  /** The errors that each side reported to `onerror`. */
  readonly problems: readonly Error[];
}

/** A client that speaks one revision only, and keeps a record. */
export function clientOf(
  revision: Revision | readonly Revision[],
  options: ClientOptions = {},
): { client: Client; wire: Traced[]; problems: Error[] } {
  const wire: Traced[] = [];
  const problems: Error[] = [];
  const spoken: readonly string[] = [revision].flat();
  const client = new Client(info, {
    revisions: clientSides.filter((side) => spoken.includes(side.revision)),
    trace: (direction, message) => wire.push({ direction, ...(message as object) }),
    onerror: (error) => problems.push(error),
    ...options,
  });
  return { client, wire, problems };
}

/** Connects a new client to a server, within this process. */
export async function connect(
  server: McpServer | Server,
  revision: Revision | readonly Revision[],
  options: ClientOptions = {},
  prepare?: (client: Client) => void,
): Promise<Pair> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const { client, wire, problems } = clientOf(revision, options);
  prepare?.(client);
  const connection = await server.connect(serverEnd);
  await client.connect(clientEnd);
  onTestFinished(() => client.close());
  return { client, connection, wire, problems };
}

/** Waits until all work in progress within this process is done. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** The methods sent in one direction, without the opening. */
export function methods(wire: readonly Traced[], direction: "in" | "out"): string[] {
  const opening = /^(initialize|notifications\/initialized|server\/discover)$/;
  return wire.flatMap(({ direction: way, method }) =>
    way === direction && method !== undefined && !opening.test(method) ? [method] : [],
  );
}

/** The error that a promise rejects with, which must be of our family. */
export async function errorOf(promise: Promise<unknown>): Promise<McpError> {
  const error: unknown = await promise.then(
    (value) => expect.fail(`it went well: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof McpError)) throw error;
  return error;
}

export function thrown(action: () => unknown): McpError {
  try {
    action();
  } catch (error) {
    if (error instanceof McpError) return error;
    throw error;
  }
  return expect.fail("it went well");
}

/** A tool result with one text. */
export function text(words: string): { content: [{ type: "text"; text: string }] } {
  return { content: [{ type: "text", text: words }] };
}
