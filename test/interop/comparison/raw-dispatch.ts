import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { RawClientDispatch } from "@modelcontextprotocol/ext-tasks/client";

type Response = Awaited<ReturnType<RawClientDispatch>>;

/**
 * Sends requests past a connected client of SDK 2.x, which rejects the results that tasks add in 2026-07-28. The official task client
 * needs it.
 */
export function rawDispatch(transport: Transport): RawClientDispatch {
  const waiting = new Map<string, (response: Response) => void>();
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const { id, result, error } = message as { id?: unknown; result?: never; error?: never };
    const settle = typeof id === "string" ? waiting.get(id) : undefined;
    if (!settle) return onmessage?.(message, extra);
    waiting.delete(id as string);
    settle(error === undefined ? { kind: "result", result: result as never } : { kind: "error", error });
  };
  let count = 0;
  return (request, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const id = `past-the-client-${++count}`;
      waiting.set(id, resolve);
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
      transport
        .send({ jsonrpc: "2.0", id, ...(request as object) } as JSONRPCMessage)
        .catch((error: unknown) => reject(error as Error));
    });
}
