import { serverSides } from "@mcpwright/protocol/server-sides";
import { McpServer } from "../../../../runtime/src/server.js";
import { taskOf, tasks, type TaskStore } from "../../../../runtime/src/tasks.js";

export interface ReportsOptions {
  /** The revisions that it speaks. Default: all. */
  readonly revisions?: readonly string[];
  readonly store?: TaskStore;
}

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** A server whose tools run as tasks. */
export function reports({ revisions, store }: ReportsOptions = {}): McpServer {
  const sides = serverSides.filter(({ revision }) => revisions?.includes(revision) ?? true);
  const server = new McpServer(
    { name: "reports", version: "1.0.0" },
    { revisions: sides, extensions: [tasks({ pollIntervalMs: 5, ...(store && { store }) })] },
  );
  server.registerTool("make-report", { description: "Creates a report.", task: "optional" }, async (context) => {
    await taskOf(context)?.setStatus("Reading");
    return text(taskOf(context) ? "as a task" : "at once");
  });
  server.registerTool("review", { task: "required" }, async (context) => {
    const { action } = await context.elicit("send", {
      mode: "form",
      message: "Send it?",
      requestedSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    });
    return text(action);
  });
  server.registerTool("endless", { task: "required" }, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return text("aborted");
  });
  server.registerTool("failing", { task: "required" }, () => ({ ...text("no paper"), isError: true }));
  server.registerTool("plain", {}, () => text("plain"));
  return server;
}
