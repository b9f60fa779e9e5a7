import { SdkError } from "../engine/errors.js";
import { depthProblem } from "../engine/json-depth.js";
import { asError } from "../engine/messages.js";
import type { MessageExtra, Transport } from "../engine/transport.js";

/** What a link tells of. */
export interface Receiver {
  readonly message: (message: unknown, extra?: MessageExtra) => void;
  /** `received` is what is not read on. */
  readonly error: (error: unknown, received?: unknown) => void;
  /** Messages that belong to no request may have been missed. */
  readonly missed: () => void;
  /** The session is over, because the server has dropped it or its only stream has ended. */
  readonly ended: (error: Error) => void;
}

/** Hands on what comes in while the transport is open. Whoever gets it cannot break the stream that it came on. */
export function receiverOf(transport: Transport, isOpen: () => boolean, ended: Receiver["ended"]): Receiver {
  const error = (problem: unknown, received?: unknown): void => {
    if (isOpen()) report(transport, problem, received);
  };
  return {
    error,
    ended,
    missed: () => {
      if (isOpen()) transport.onmissed?.();
    },
    message: (message, extra) => {
      try {
        if (isOpen()) transport.onmessage?.(message, extra);
      } catch (problem) {
        error(problem);
      }
    },
  };
}

/** The value of a JSON text that came in; undefined, and reported, for any other text, or one that is nested too deeply. */
export function parse(text: string, { error }: Pick<Receiver, "error">, maxDepth: number | undefined): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    error(new SdkError("INVALID_MESSAGE", "received what is no JSON", text.slice(0, 200), { cause }));
    return undefined;
  }
  const problem = depthProblem(text, maxDepth);
  if (problem === undefined) return value;
  error(new SdkError("INVALID_MESSAGE", problem, text.slice(0, 200)), value);
  return undefined;
}

export function report(transport: Transport, error: unknown, received?: unknown): void {
  transport.onerror?.(asError(error), received);
}

/** @throws SdkError `INVALID_CONFIGURATION` */
export function endpointUrl(url: URL | string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    const hint = "it needs http: or https:, and credentials go into headers";
    throw new SdkError("INVALID_CONFIGURATION", `a server cannot be reached at this URL: ${hint}`);
  }
  parsed.hash = "";
  return parsed;
}
