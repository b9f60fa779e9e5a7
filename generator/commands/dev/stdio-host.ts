import type { Transport } from "@mcpwright/runtime";
import { ProtocolError } from "@mcpwright/runtime/errors";
import { StdioServerTransport } from "@mcpwright/runtime/stdio";
import { isRawRequest, type JsonObject } from "./json-messages.js";
import { maxLine } from "./line-splitter.js";
import type { Relay } from "./relay.js";

export interface StdioHostOptions {
  /** Default: standard input and output. */
  readonly transport?: Transport | undefined;
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
  readonly onerror: (error: Error) => void;
}

/** Connects the host that started this process, until it leaves or the signal aborts. Resolves when no process of the server is left. */
export async function serveStdioHost(relay: Relay, options: StdioHostOptions): Promise<void> {
  const { transport = standardStreams(), signal, onerror } = options;
  const send = (unit: unknown): void => {
    // The transport reports what it cannot send by closing.
    Promise.resolve(transport.send(unit as Parameters<Transport["send"]>[0])).catch(() => undefined);
  };
  let isOpen = true;
  const connection = relay.connect({ name: "stdio", send: (unit) => isOpen && send(unit) });
  const ended = new Promise<void>((resolve) => {
    const close = (): void => void connection.close().then(resolve);
    const finish = (): void => void connection.finish().then(resolve);
    const closed = (): void => {
      isOpen = false;
      close();
    };
    const failed = (error: Error, received?: unknown): void => {
      onerror(error);
      if (error instanceof ProtocolError) send(refusal(error, received));
    };
    Object.assign(transport, {
      onmessage: (unit: unknown) => connection.receive(unit),
      onend: finish,
      onclose: closed,
      onerror: failed,
    });
    if (signal?.aborted === true) close();
    signal?.addEventListener("abort", close, { once: true });
  });
  await transport.start();
  await ended;
  await transport.close();
}

/** Standard input and output. Whether a long message is too long, the server decides. */
function standardStreams(): Transport {
  return new StdioServerTransport(process.stdin, process.stdout, { maxMessageBytes: maxLine });
}

/** The response to a line that is not a message. */
function refusal({ code, message }: ProtocolError, received: unknown): JsonObject {
  return { jsonrpc: "2.0", ...(isRawRequest(received) && { id: received.id }), error: { code, message } };
}
