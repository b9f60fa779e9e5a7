/** A transport whose far end is the test: it reads what was sent and says what arrives. */
import { serialize } from "../../../runtime/src/jsonrpc/serialize.js";
import type { JSONRPCMessage } from "../../../runtime/src/jsonrpc/message-types.js";
import type { MessageExtra } from "../../../runtime/src/transport/message-extra.js";
import type { Transport, TransportSendOptions } from "../../../runtime/src/transport/transport.js";

// Taken before a test replaces the clock.
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
  /** What was sent and not yet taken. */
  readonly sent: Message[] = [];
  /** What was given beside each message. */
  readonly beside: (TransportSendOptions | undefined)[] = [];
  isClosed = false;
  /** Set to have sending fail. */
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

  /** The far end goes away. */
  break(error?: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onclose?.(error);
  }

  /** Something arrives. */
  receive(message: unknown, extra?: MessageExtra): void {
    this.onmessage?.(JSON.parse(JSON.stringify(message)), extra);
  }

  /** All that was sent since the last time. */
  take(): Message[] {
    this.beside.length = 0;
    return this.sent.splice(0);
  }

  /** The next message sent, as soon as there is one. */
  async next(): Promise<Message> {
    for (let turns = 0; this.sent.length === 0; turns++) {
      if (turns > 4_000) throw new Error("nothing was sent");
      await (turns < 50 ? turn() : new Promise((resolve) => setTimeout(resolve, 1)));
    }
    this.beside.shift();
    const [message] = this.sent.splice(0, 1) as [Message];
    return message;
  }

  /** All that was sent, once nothing more is to be expected. */
  async rest(): Promise<Message[]> {
    await idle();
    return this.take();
  }

  /** Sends a request to this end and gives what it answers. */
  async ask(id: string | number, method: string, params?: object, extra?: MessageExtra): Promise<Message> {
    this.receive(request(id, method, params), extra);
    return this.next();
  }
}

/** One turn of the event loop, whatever clock the test has. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Long enough for all that needs no timer but the shortest. */
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

/** A promise that rejects with what nobody should reject with, but somebody will. */
export function rejected(reason: unknown): Promise<never> {
  let reject!: (reason: unknown) => void;
  const promise = new Promise<never>((_, no) => (reject = no));
  reject(reason);
  return promise;
}
