/** The official client with skills. Argument: the target without a suite, as JSON. Prints the outcomes of the features. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";
import { skillFeatures } from "../skills/features.js";

const target = targetOf(process.argv[2]);

async function connect() {
  const client = new Client({ name: "sdk2-skills", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const [command = "", ...args] = target.command ?? [];
  await client.connect(
    target.transport === "http"
      ? new StreamableHTTPClientTransport(new URL(target.url ?? ""))
      : new StdioClientTransport({ command, args, stderr: "ignore" }),
  );
  return { client, reader: new SkillsClient(client) };
}

await report(skillFeatures(target.revision, connect()));
