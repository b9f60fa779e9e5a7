import { SdkError } from "../engine/errors.js";
import { depthProblem } from "../engine/json-depth.js";
import { toError } from "../engine/messages.js";
import type { MessageExtra, Transport } from "../engine/transport.js";

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

/** @throws SdkError `INVALID_CONFIGURATION` */
export function parseServerUrl(url: URL | string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    const hint = "it needs http: or https:, and credentials go into headers";
    throw new SdkError("INVALID_CONFIGURATION", `a server cannot be reached at this URL: ${hint}`);
  }
  parsed.hash = "";
  return parsed;
}
