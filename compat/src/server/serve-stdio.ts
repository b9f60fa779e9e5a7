import { eraOf } from "@mcpwright/runtime/server";
import { ProtocolErrorCode } from "../shared/errors.js";
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from "../types/index.js";
import type { Transport, TransportSendOptions } from "../shared/transport.js";
import { lowLevel, type McpServerFactory } from "./mcp-server-factory.js";
import type { Server } from "./server.js";
import { StdioServerTransport } from "./stdio-server-transport.js";

export interface ServeStdioOptions {
  /** Whether clients that begin with a handshake are served. Default: `"serve"`. */
  legacy?: "serve" | "reject";
  /** Default: the standard input and output of the process. */
  transport?: Transport;
  onerror?: (error: Error) => void;
  /** Maximum number of open subscriptions. Default: `1_000`. */
  maxSubscriptions?: number;
}

export interface StdioServerHandle {
  close(): Promise<void>;
}

type Era = "legacy" | "modern";

/** The part of the connection that the server of one era uses. */
class EraChannel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor(
    readonly wire: Transport,
    readonly closed: () => void,
  ) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.wire.send(message, options);
  }

  setProtocolVersion(version: string): void {
    this.wire.setProtocolVersion?.(version);
  }

  close(): Promise<void> {
    this.onclose?.();
    this.closed();
    return Promise.resolve();
  }
}

/** Serves one client over standard input and output. A server is made for the era in which the client opens the connection. */
export function serveStdio(factory: McpServerFactory, options: ServeStdioOptions = {}): StdioServerHandle {
  const wire = options.transport ?? new StdioServerTransport();
  const connection = new StdioConnection(factory, wire, options);
  wire.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => connection.receive(message, extra);
  wire.onerror = (error) => options.onerror?.(error);
  wire.onclose = () => connection.end();
  wire.start().catch((error: unknown) => options.onerror?.(error as Error));
  return { close: () => connection.close() };
}

class StdioConnection {
  readonly #servers = new Map<Era, Promise<{ readonly server: Server; readonly channel: EraChannel } | undefined>>();
  #isClosing = false;

  constructor(
    readonly factory: McpServerFactory,
    readonly wire: Transport,
    readonly options: ServeStdioOptions,
  ) {}

  receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const era = this.#eraOf(message);
    if (era === "legacy" && this.options.legacy === "reject") return this.#reject(message);
    let made = this.#servers.get(era);
    if (!made) {
      // A response or notification does not open a connection.
      if (!("method" in message && "id" in message)) return;
      made = this.#make(era, message.id);
      this.#servers.set(era, made);
    }
    void made.then((one) => one?.channel.onmessage?.(message, extra));
  }

  /** Requests name their era; other messages are for the only server, or for the one with a session. */
  #eraOf(message: JSONRPCMessage): Era {
    if (eraOf(message) === "stateless") return "modern";
    const isRequest = "method" in message && "id" in message;
    return isRequest || this.#servers.has("legacy") || !this.#servers.has("modern") ? "legacy" : "modern";
  }

  async #make(era: Era, id: RequestId): Promise<{ server: Server; channel: EraChannel } | undefined> {
    const channel = new EraChannel(this.wire, () => {
      this.close().catch((failure: unknown) => this.options.onerror?.(failure as Error));
    });
    try {
      const server = lowLevel(await this.factory({ era }));
      server.servesStateless = era === "modern";
      await server.connect(channel);
      return { server, channel };
    } catch (error) {
      this.#servers.delete(era);
      this.options.onerror?.(error as Error);
      this.#respond(id, ProtocolErrorCode.InternalError, "Internal error");
      return undefined;
    }
  }

  #reject(message: JSONRPCMessage): void {
    if (!("method" in message && "id" in message)) return;
    const { protocolVersion } = (message.params ?? {}) as { readonly protocolVersion?: unknown };
    this.options.onerror?.(new Error(`Rejected ${message.method} of a client with a handshake`));
    const requested = typeof protocolVersion === "string" ? protocolVersion : "unknown";
    this.#respond(
      message.id,
      ProtocolErrorCode.UnsupportedProtocolVersion,
      `Unsupported protocol version: ${requested}`,
      {
        supported: ["2026-07-28"],
        requested,
      },
    );
  }

  #respond(id: RequestId, code: number, message: string, data?: unknown): void {
    const error = { code, message, ...(data !== undefined && { data }) };
    this.wire.send({ jsonrpc: "2.0", id, error }).catch((failure: unknown) => this.options.onerror?.(failure as Error));
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const made = await Promise.all(this.#servers.values());
    await Promise.all(made.flatMap((one) => (one ? [one.server.native.close()] : [])));
    await this.wire.close();
  }

  /** Called when the client has gone. */
  end(): void {
    this.#isClosing = true;
    for (const made of this.#servers.values()) void made.then((one) => one?.channel.onclose?.());
  }
}
