/** A transport whose peer is the test: the test reads the sent messages and delivers others. */
import { serialize } from "../../../runtime/src/jsonrpc/serialize.js";
import type { JSONRPCMessage } from "../../../runtime/src/jsonrpc/message-types.js";
import type { MessageExtra } from "../../../runtime/src/transport/message-extra.js";
import type { Transport, TransportSendOptions } from "../../../runtime/src/transport/transport.js";

// Saved before a test installs fake timers.
const { setImmediate, setTimeout } = globalThis;

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export class Wire implements Transport {
  onmessage?: (message: unknown, extra?: MessageExtra) => void;
  onerror?: (error: Error, received?: unknown) => void;
  onend?: () => void;
  onclose?: (error?: Error) => void;
  /** The sent messages that the test has not taken yet. */
  readonly sent: Message[] = [];
  /** The options of each sent message. */
  readonly beside: (TransportSendOptions | undefined)[] = [];
  isClosed = false;
  /** When set, sending fails with this error. */
  failure: Error | undefined;

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[], options?: TransportSendOptions): void {
    if (this.failure) throw this.failure;
    this.sent.push(JSON.parse(serialize(message)) as Message);
    this.beside.push(options);
  }

  close(): Promise<void> {
    this.break();
    return Promise.resolve();
  }

  /** Simulates that the peer disconnects. */
  break(error?: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onclose?.(error);
  }

  /** Delivers a message. */
  receive(message: unknown, extra?: MessageExtra): void {
    this.onmessage?.(JSON.parse(JSON.stringify(message)), extra);
  }

  /** Returns the messages sent since the last call. */
  take(): Message[] {
    this.beside.length = 0;
    return this.sent.splice(0);
  }

  /** Returns the next sent message, when there is one. */
  async next(): Promise<Message> {
    for (let turns = 0; this.sent.length === 0; turns++) {
      if (turns > 4_000) throw new Error("nothing was sent");
      await (turns < 50 ? turn() : new Promise((resolve) => setTimeout(resolve, 1)));
    }
    this.beside.shift();
    const [message] = this.sent.splice(0, 1) as [Message];
    return message;
  }

  /** Returns the sent messages when no more are expected. */
  async rest(): Promise<Message[]> {
    await idle();
    return this.take();
  }

  /** Sends a request to this end and returns the response. */
  async ask(id: string | number, method: string, params?: object, extra?: MessageExtra): Promise<Message> {
    this.receive(request(id, method, params), extra);
    return this.next();
  }
}

/** Waits one turn of the event loop, also with fake timers. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits long enough for everything except longer timers. */
export async function idle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 4));
  for (let turns = 0; turns < 4; turns++) await turn();
}

export function request(id: string | number, method: string, params?: object): object {
  return { jsonrpc: "2.0", id, method, ...(params && { params }) };
}

export function notification(method: string, params?: object): object {
  return { jsonrpc: "2.0", method, ...(params && { params }) };
}

export function result(id: string | number, body: object = {}): object {
  return { jsonrpc: "2.0", id, result: body };
}

export function error(id: string | number, code: number, message = "no", data?: unknown): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** Returns a promise that rejects with a value that is not an error. */
export function rejected(reason: unknown): Promise<never> {
  let reject!: (reason: unknown) => void;
  const promise = new Promise<never>((_, no) => (reject = no));
  reject(reason);
  return promise;
}
