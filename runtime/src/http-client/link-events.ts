import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { type JsonLimits, type ParsedJson, parseJson } from "../jsonrpc/parse-json.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport } from "../transport/transport.js";

/** The events of a link. */
export interface LinkEvents {
  readonly onMessage: (message: unknown, extra?: MessageExtra) => void;
  /** `received` is the rejected message. */
  readonly onError: (error: unknown, received?: unknown) => void;
  /** Called when messages that belong to no request may have been missed. */
  readonly onGap: () => void;
  /** Called when the session has ended, because the server has dropped it or its only stream has ended. */
  readonly onEnd: (error: Error) => void;
}

/** Passes events to a transport while it is open. A handler that throws does not break the stream. */
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

/**
 * Parses a received JSON string. Returns undefined, and reports an error, if it is not JSON or is nested too deeply.
 * @throws SdkError `LIMIT_EXCEEDED` when it has too many values
 */
export function parseMessage(text: string, { onError }: Pick<LinkEvents, "onError">, limits: JsonLimits): unknown {
  let parsed: ParsedJson;
  try {
    parsed = parseJson(text, limits);
  } catch (cause) {
    onError(new SdkError("INVALID_MESSAGE", "received text that is not JSON", text.slice(0, 200), { cause }));
    return undefined;
  }
  const { problem, value } = parsed;
  if (problem === undefined) return value;
  if (value === undefined) throw new SdkError("LIMIT_EXCEEDED", problem);
  onError(new SdkError("INVALID_MESSAGE", problem, text.slice(0, 200)), value);
  return undefined;
}

export function reportError(transport: Transport, error: unknown, received?: unknown): void {
  transport.onerror?.(toError(error), received);
}
