/** The official client of SDK 2.x with the helpers for hosts of apps. Argument: the target without a suite, as JSON. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import {
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  isToolVisibilityModelOnly,
} from "@modelcontextprotocol/ext-apps/app-bridge";
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/server";
import { appFeatures } from "../apps/features.js";
import { report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";

const target = targetOf(process.argv[2]);

async function connect(showsApps: boolean): Promise<Client> {
  const capabilities = showsApps ? { extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } } : {};
  const client = new Client(
    { name: "ext-apps", version: "1.0.0" },
    { capabilities, versionNegotiation: { mode: "auto" } },
  );
  const [command = "", ...args] = target.command ?? [];
  await client.connect(
    target.transport === "http"
      ? new StreamableHTTPClientTransport(new URL(target.url ?? ""))
      : new StdioClientTransport({ command, args, stderr: "ignore" }),
  );
  return client;
}

await report(
  appFeatures(target.revision, {
    connect,
    appOf: (tool) => ({
      uri: getToolUiResourceUri(tool),
      model: !isToolVisibilityAppOnly(tool),
      app: !isToolVisibilityModelOnly(tool),
    }),
    hidesAppTools: true,
  }),
);
