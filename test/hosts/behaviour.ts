import type { Client, ClientOptions } from "@mcpwright/runtime/client";
import type { StreamableHTTPClientTransportOptions } from "@mcpwright/runtime/client/http";
import type { Transport } from "@mcpwright/runtime";

/** The outcome of one behaviour in one revision. */
export interface Outcome {
  readonly behaviour: string;
  readonly revision: string;
  /** The problem; absent if the behaviour passed. */
  readonly problem?: string;
}

/** A behaviour that a host does not support. */
export interface LeftOut {
  readonly behaviour: string;
  readonly revision: string;
}

export interface OpenOptions extends ClientOptions {
  /** Default: the URL of the stage. */
  readonly at?: string;
  readonly transport?: StreamableHTTPClientTransportOptions;
}

/** A client that is connected to the server in one revision. */
export interface Peer {
  readonly client: Client;
  readonly transport: Transport;
  /** Calls a tool and returns the value of its result. */
  readonly call: (name: string, args?: object, options?: CallOptions) => Promise<unknown>;
}

export type CallOptions = Parameters<Client["callTool"]>[1];

export interface Stage {
  readonly url: string;
  readonly revision: string;
  /** Connects a client, which is closed after the behaviour has run. */
  readonly open: (options?: OpenOptions) => Promise<Peer>;
}

export interface Behaviour {
  readonly name: string;
  readonly revisions: readonly string[];
  /** @throws Error that explains what is wrong */
  readonly run: (stage: Stage) => Promise<void>;
}

/** The reason of the rejection; undefined if the promise is fulfilled. */
export function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** @throws Error unless both values have the same JSON */
export function same(what: string, actual: unknown, expected: unknown): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${excerpt(wanted)}, received ${excerpt(got)}`);
}

function excerpt(text: string | undefined): string {
  return String(text).length <= 200
    ? String(text)
    : `${String(text).slice(0, 200)}… (${String(text).length} characters)`;
}
