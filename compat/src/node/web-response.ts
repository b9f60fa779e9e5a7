import type { HttpReply } from "../server/http-reply.js";
import type { TextSink } from "../server/sse-writer.js";

/** The members of Node's `ServerResponse` that are used. */
export interface NodeServerResponseLike {
  writeHead(statusCode: number, headers?: Record<string, string>): unknown;
  write(chunk: string | Uint8Array): unknown;
  end(chunk?: string | Uint8Array): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  destroyed?: boolean;
  /** Bytes that wait for the client. */
  readonly writableLength?: number;
  destroy?(error?: Error): unknown;
}

/** A signal that is aborted when the client has disconnected. */
export function disconnectSignal(response: NodeServerResponseLike): AbortSignal {
  const disconnected = new AbortController();
  response.on("close", () => disconnected.abort());
  if (response.destroyed === true) disconnected.abort();
  return disconnected.signal;
}

/** Brings a stream of events to a response of Node. */
class NodeSink implements TextSink {
  constructor(
    readonly response: NodeServerResponseLike,
    /** Called when the response is complete. */
    readonly ended: () => void,
  ) {}

  get unreadBytes(): number {
    return this.response.writableLength ?? 0;
  }

  write(text: string): void {
    this.response.write(text);
  }

  end(): void {
    this.response.end();
    this.ended();
  }

  abort(error: Error): void {
    this.response.destroy?.(error);
    this.ended();
  }
}

/** Writes a response. Resolves when it is complete, or the client has disconnected. */
export function writeReply({ status, headers, body }: HttpReply, to: NodeServerResponseLike): Promise<void> | void {
  to.writeHead(status, headers);
  if (typeof body !== "object") return void to.end(body);
  return new Promise((resolve) => {
    const gone = (): void => {
      body.disconnect();
      resolve();
    };
    to.on("close", gone);
    if (to.destroyed === true) gone();
    body.pipeTo(new NodeSink(to, resolve));
  });
}

/**
 * Writes a response of the Web platform to one of Node, not faster than the client reads it.
 * @param signal aborted when the client has disconnected
 */
export async function writeWebResponse(
  response: Response,
  to: NodeServerResponseLike,
  signal: AbortSignal,
): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  if (reader) {
    let resume: (() => void) | undefined;
    const release = (): void => resume?.();
    to.on("drain", release);
    const stop = (): void => {
      release();
      // The stream may have failed already.
      reader.cancel().catch(() => undefined);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      for (let chunk = await reader.read(); !chunk.done && !signal.aborted; chunk = await reader.read())
        if (to.write(chunk.value) === false) await new Promise<void>((resolve) => (resume = resolve));
    } catch {
      // The rest of the stream does not arrive: the client sees a response that ends early.
    }
    signal.removeEventListener("abort", stop);
  }
  to.end();
}
