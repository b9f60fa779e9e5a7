export { openTelemetry } from "./otel/open-telemetry.js";
export type { OpenTelemetryOptions } from "./otel/open-telemetry-options.js";
