/** Our client, at a server with apps. Argument: the target without a suite, as JSON. Prints the outcomes of the features. */
import { clientSides } from "@mcpwright/protocol/client-sides";
import { appsExtension } from "@mcpwright/protocol/extensions/apps";
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { APP_MIME_TYPE, toolApp } from "@mcpwright/runtime/apps";
import { Client } from "@mcpwright/runtime/client";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { appFeatures } from "../apps/features.js";
import { report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";

const target = targetOf(process.argv[2]);

async function connect(showsApps: boolean): Promise<Client> {
  const extensions = showsApps ? [withSettings(appsExtension, { mimeTypes: [APP_MIME_TYPE] })] : [];
  const revisions = clientSides.filter(({ revision }) => revision === target.revision);
  const client = new Client({ name: "apps", version: "1.0.0" }, { revisions, extensions });
  const [command = "", ...args] = target.command ?? [];
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
  return client as Client;
}

await report(
  appFeatures(target.revision, {
    connect,
    appOf: (tool) => {
      const { resourceUri, isForModel, isForApps } = toolApp(tool);
      return { uri: resourceUri, model: isForModel, app: isForApps };
    },
    hidesAppTools: false,
  }),
);
