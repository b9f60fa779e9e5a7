import { diag } from "@opentelemetry/api";

/** Calls a function of OpenTelemetry. A failure is logged by `diag`: it must not break a call. */
export function attempt<Returned>(action: () => Returned): Returned | undefined {
  try {
    return action();
  } catch (error) {
    try {
      diag.error("@mcpwright/runtime/otel: OpenTelemetry failed", error);
    } catch {
      // The logger fails, too, and there is no other place for the error.
    }
    return undefined;
  }
}
