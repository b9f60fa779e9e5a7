import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { Client } from "@mcpwright/runtime/client";
import { anthropic } from "./anthropic.js";
import { Chat } from "./chat.js";
import { transportTo } from "./server-target.js";

const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl, CHAT_MODEL: model = "claude-sonnet-4-5" } = process.env;
const targets = process.argv.slice(2);

async function chat(key: string): Promise<void> {
  const terminal = createInterface({ input: stdin });
  // Read from the start, so that no early input is lost, typed or piped.
  const lines: AsyncIterator<string, undefined> = terminal[Symbol.asyncIterator]();
  const clients: Client[] = [];
  try {
    for (const target of targets) {
      const client = new Client({ name: "chat", version: "1.0.0" });
      await client.connect(transportTo(target));
      clients.push(client);
      const { tools } = await client.listTools();
      console.log(`${target} has these tools: ${tools.map(({ name }) => name).join(", ")}`);
    }
    const conversation = new Chat({
      model: anthropic({ apiKey: key, model, ...(baseUrl !== undefined && { baseUrl }) }),
      clients,
      approve: async ({ name, args }) => {
        stdout.write(`Allow the call ${name}(${JSON.stringify(args)})? [y/N] `);
        const { value } = await lines.next();
        return /^y(es)?$/i.test(String(value));
      },
    });
    for (;;) {
      stdout.write("Query: ");
      const { value: query, done } = await lines.next();
      if (done === true || query.trim() === "quit") break;
      if (query.trim() === "") continue;
      await conversation.ask(query).then(console.log, (error: unknown) => console.error(String(error)));
    }
  } finally {
    terminal.close();
    await Promise.allSettled(clients.map((client) => client.close()));
  }
}

if (targets.length === 0) {
  console.error("Usage: main.ts <server.js | server.py | URL>…");
  process.exitCode = 2;
} else if (apiKey === undefined) {
  console.error("ANTHROPIC_API_KEY is not set: set it to your Anthropic API key");
  process.exitCode = 1;
} else {
  await chat(apiKey).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
