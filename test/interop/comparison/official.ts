import { Client, type Transport } from "@modelcontextprotocol/client";
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  resultFromTaskOutcome,
} from "@modelcontextprotocol/ext-tasks/client";
import { rawDispatch } from "./raw-dispatch.js";

const clientInfo = { name: "host", version: "1.0.0" };
const clientCapabilities = { elicitation: {} };

export async function report(transport: Transport): Promise<unknown> {
  const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  const session = createTaskSessionFromClient(client, {
    endpointId: "reports",
    ...(client.getProtocolEra() === "modern" && {
      rawDispatch: rawDispatch(transport),
      v2RequestFraming: {
        protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
        clientInfo,
        clientCapabilities,
      },
    }),
    onInputRequest: createApplicationInputHandler({
      elicitation: () => ({ action: "accept", content: { name: "Ada" } }),
      sampling: () => Promise.reject(new Error("there is no model")),
      roots: () => ({ roots: [] }),
    }),
  });
  const execution = await session.callTool("report", { year: 2026 });
  const { outcome } = await execution.settle();
  return resultFromTaskOutcome(outcome);
}
