import { assertMethods } from "../options/assert-methods.js";
import { callHook, isPeerFault } from "./error-reporting.js";

/** The part of the interface of pino that a server uses. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

interface Logging {
  readonly logger?: Logger | undefined;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Writes an entry, if there is a logger. Its failures are ignored: they cannot be logged. */
export function log({ logger }: Logging, level: keyof Logger, details: object, message: string): void {
  if (logger)
    callHook(
      () => logger[level](details, message),
      () => undefined,
    );
}

/**
 * Options with which everything that is reported to `onerror` is logged, too.
 * @throws SdkError `INVALID_CONFIGURATION` when the logger lacks a method
 */
export function withErrorLog<Options extends Logging>(options: Options): Options {
  const { logger, onerror } = options;
  if (!logger) return options;
  assertMethods(logger, ["debug", "info", "warn", "error"], "logger must be like a logger of pino");
  return {
    ...options,
    onerror: (error: Error) => {
      // Not the error itself: loggers also write its `data`, which may be what a client sent. Pino takes the name of a constructor for the type.
      const { name, code, message, stack } = error as Error & { readonly code?: unknown };
      const level = isPeerFault(error) || code === "DEPRECATED" ? "warn" : "error";
      log(options, level, { err: { __proto__: null, name, code, message, stack } }, message);
      return onerror?.(error);
    },
  };
}
