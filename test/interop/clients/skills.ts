/** Our client, at a server with skills. Argument: the target without a suite, as JSON. Prints the outcomes of the features. */
import { clientSides } from "@mcpwright/protocol/client-sides";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { skills, SkillsClient } from "@mcpwright/runtime/skills/client";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { parse } from "yaml";
import { report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";
import { skillFeatures } from "../skills/features.js";

const target = targetOf(process.argv[2]);

async function connect() {
  const revisions = clientSides.filter(({ revision }) => revision === target.revision);
  const client = new Client({ name: "skills", version: "1.0.0" }, { revisions, extensions: [skills()] });
  const [command = "", ...args] = target.command ?? [];
  await client.connect(
    target.transport === "http"
      ? new StreamableHTTPClientTransport(target.url ?? "")
      : new StdioClientTransport({ command, args, stderr: "ignore" }),
  );
  return { client, reader: new SkillsClient(client as Client, { parseFrontmatter: parse }) };
}

await report(skillFeatures(target.revision, connect()));
