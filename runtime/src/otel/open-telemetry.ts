import type { Telemetry } from "../connection/telemetry.js";
import { assertMethods } from "../options/assert-methods.js";
import { ConnectionObserver } from "./connection-observer.js";
import type { OpenTelemetryOptions } from "./open-telemetry-options.js";
import { Recorder } from "./recorder.js";

/**
 * Observes clients and servers with OpenTelemetry, by its semantic conventions for MCP: a span and a duration for each request and
 * notification, a duration for each session, and the context of traces in `_meta`. Several clients and servers can share the value.
 * Failures of OpenTelemetry are logged by its `diag`, and break no call.
 * @example
 * ```ts
 * const server = new McpServer({ name: "weather", version: "1.0.0" }, { telemetry: openTelemetry() });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` when a provider or the propagator lacks a method
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { tracerProvider, meterProvider, propagator } = options;
  if (tracerProvider !== undefined)
    assertMethods(tracerProvider, ["getTracer"], "pass a provider of OpenTelemetry as tracerProvider");
  if (meterProvider !== undefined)
    assertMethods(meterProvider, ["getMeter"], "pass a provider of OpenTelemetry as meterProvider");
  if (propagator !== undefined)
    assertMethods(propagator, ["inject", "extract", "fields"], "pass a propagator of OpenTelemetry");
  const recorder = new Recorder(options);
  return { observe: (connection) => new ConnectionObserver(connection, recorder) };
}
