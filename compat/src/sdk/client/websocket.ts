import { parseJSONRPCMessage } from "../../types/guards.js";
import type { JSONRPCMessage } from "../messages.js";
import type { Transport } from "../shared/transport.js";

/** The part of the global `WebSocket` that the transport uses. Node 22 and browsers have it. */
interface Socket {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onerror: ((event: object) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  send(data: string): void;
  close(): void;
}

/** Exchanges messages with a server over a WebSocket, with the subprotocol `mcp`. The specification does not define this transport. */
export class WebSocketClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #socket: Socket | undefined;

  constructor(readonly url: URL) {}

  /** @throws Error when the socket cannot be opened, ReferenceError where there is no global `WebSocket` */
  async start(): Promise<void> {
    if (this.#socket)
      throw new Error(
        "WebSocketClientTransport already started! If using Client class, note that connect() calls start() automatically.",
      );
    const { WebSocket } = globalThis as { readonly WebSocket?: new (url: URL, protocol: string) => Socket };
    if (!WebSocket)
      throw new ReferenceError("WebSocket is not defined: use Node 22 or later, or define globalThis.WebSocket");
    const socket = (this.#socket = new WebSocket(this.url, "mcp"));
    socket.onclose = () => this.onclose?.();
    socket.onmessage = ({ data }) => this.#receive(data);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = (event) => {
        const error =
          "error" in event ? (event.error as Error) : new Error(`WebSocket error: ${JSON.stringify(event)}`);
        reject(error);
        this.onerror?.(error);
      };
    });
  }

  #receive(data: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(data as string));
    } catch (error) {
      this.onerror?.(error as Error);
      return;
    }
    this.onmessage?.(message);
  }

  async close(): Promise<void> {
    this.#socket?.close();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#socket) throw new Error("Not connected");
    this.#socket.send(JSON.stringify(message));
    return Promise.resolve();
  }
}
