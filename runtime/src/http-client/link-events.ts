import { depthProblem } from "../jsonrpc/depth.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport } from "../transport/transport.js";

/** What a link tells of. */
export interface LinkEvents {
  readonly onMessage: (message: unknown, extra?: MessageExtra) => void;
  /** `received` is what is not read on. */
  readonly onError: (error: unknown, received?: unknown) => void;
  /** Messages that belong to no request may have been missed. */
  readonly onGap: () => void;
  /** The session is over, because the server has dropped it or its only stream has ended. */
  readonly onEnd: (error: Error) => void;
}

/** Hands on what comes in while the transport is open. Whoever gets it cannot break the stream that it came on. */
export function linkEventsFor(transport: Transport, isOpen: () => boolean, ended: LinkEvents["onEnd"]): LinkEvents {
  const error = (problem: unknown, received?: unknown): void => {
    if (isOpen()) reportError(transport, problem, received);
  };
  return {
    onError: error,
    onEnd: ended,
    onGap: () => {
      if (isOpen()) transport.ongap?.();
    },
    onMessage: (message, extra) => {
      try {
        if (isOpen()) transport.onmessage?.(message, extra);
      } catch (problem) {
        error(problem);
      }
    },
  };
}

/** The value of a JSON text that came in; undefined, and reported, for any other text, or one that is nested too deeply. */
export function parseMessage(
  text: string,
  { onError }: Pick<LinkEvents, "onError">,
  maxDepth: number | undefined,
): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    onError(new SdkError("INVALID_MESSAGE", "received what is no JSON", text.slice(0, 200), { cause }));
    return undefined;
  }
  const problem = depthProblem(text, maxDepth);
  if (problem === undefined) return value;
  onError(new SdkError("INVALID_MESSAGE", problem, text.slice(0, 200)), value);
  return undefined;
}

export function reportError(transport: Transport, error: unknown, received?: unknown): void {
  transport.onerror?.(toError(error), received);
}
