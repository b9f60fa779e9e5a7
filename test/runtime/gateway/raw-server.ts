/** A server whose messages a test writes itself, behind a gateway. */
import type { GatewayServer } from "../../../runtime/src/gateway.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";

export interface RawMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface RawPeer {
  /** Sends any value. */
  send(message: unknown): void;
  respond(request: RawMessage, result: object): void;
  close(): Promise<void>;
}

/** A server of 2025-11-25 that opens sessions, lists one tool, and leaves the rest to `receive`. */
export function rawServer(
  receive: (message: RawMessage, peer: RawPeer) => void,
  options: Partial<GatewayServer> & { readonly capabilities?: object } = {},
): GatewayServer & { readonly connections: () => number } {
  let connections = 0;
  const { capabilities = { tools: { listChanged: true } }, ...rest } = options;
  return {
    ...rest,
    connections: () => connections,
    transport: async () => {
      connections++;
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      const peer: RawPeer = {
        send: (message) => serverEnd.send(message as never),
        respond: ({ id }, result) => serverEnd.send({ jsonrpc: "2.0", id: id ?? "", result } as never),
        close: () => serverEnd.close(),
      };
      serverEnd.onmessage = (given) => {
        const message = given as RawMessage;
        if (message.method === "initialize")
          return peer.respond(message, {
            protocolVersion: "2025-11-25",
            capabilities,
            serverInfo: { name: "raw", version: "1" },
          });
        if (message.method === "server/discover")
          return peer.send({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } });
        receive(message, peer);
      };
      await serverEnd.start();
      return clientEnd;
    },
  };
}

export const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });
