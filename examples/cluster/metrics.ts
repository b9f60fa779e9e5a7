import type { McpServerOptions } from "@mcpwright/runtime/server";

type Middleware = NonNullable<McpServerOptions["middleware"]>[number];

/** Counts the requests of a node by method, for Prometheus. */
export class Metrics {
  readonly #started = Date.now();
  readonly #requests = new Map<string, { method: string; outcome: string; count: number; seconds: number }>();

  /** For the option `middleware` of the server. */
  readonly middleware: Middleware = async (context, next) => {
    const start = performance.now();
    let outcome = "error";
    try {
      const result = await next();
      outcome = "result";
      return result;
    } finally {
      const key = `${context.method} ${outcome}`;
      const entry = this.#requests.get(key) ?? { method: context.method, outcome, count: 0, seconds: 0 };
      this.#requests.set(key, entry);
      entry.count++;
      entry.seconds += (performance.now() - start) / 1_000;
    }
  };

  /** The text format of Prometheus. */
  toText(): string {
    const lines = [
      "# TYPE process_uptime_seconds gauge",
      `process_uptime_seconds ${(Date.now() - this.#started) / 1_000}`,
      "# TYPE process_resident_memory_bytes gauge",
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      "# TYPE mcp_request_duration_seconds summary",
    ];
    for (const { method, outcome, count, seconds } of this.#requests.values()) {
      const labels = `{method="${method}",outcome="${outcome}"}`;
      lines.push(`mcp_request_duration_seconds_sum${labels} ${seconds}`);
      lines.push(`mcp_request_duration_seconds_count${labels} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}
