import type { Transport } from "@mcpwright/runtime";
import { Client } from "@mcpwright/runtime/client";
import { tasks } from "@mcpwright/runtime/tasks/client";

export async function report(transport: Transport): Promise<unknown> {
  const client = new Client(
    { name: "host", version: "1.0.0" },
    { capabilities: { elicitation: {} }, extensions: [tasks()] },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  await client.connect(transport);
  return client.callTool({ name: "report", arguments: { year: 2026 } });
}
