import { type Histogram, type Meter, ValueType } from "@opentelemetry/api";

/** In seconds. */
const explicitBucketBoundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The histograms of durations that the conventions define. */
export interface Histograms {
  readonly client: Durations;
  readonly server: Durations;
}

interface Durations {
  readonly operation: Histogram;
  readonly session: Histogram;
}

export function createHistograms(meter: Meter): Histograms {
  const create = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      valueType: ValueType.DOUBLE,
      advice: { explicitBucketBoundaries },
    });
  return {
    client: {
      operation: create("mcp.client.operation.duration", "How long sent MCP requests and notifications take"),
      session: create("mcp.client.session.duration", "How long MCP sessions of the client last"),
    },
    server: {
      operation: create("mcp.server.operation.duration", "How long received MCP requests and notifications take"),
      session: create("mcp.server.session.duration", "How long MCP sessions of the server last"),
    },
  };
}
