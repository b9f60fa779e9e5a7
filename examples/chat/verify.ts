import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { anthropic } from "./anthropic.js";
import { Chat } from "./chat.js";
import { everywhere, node, port, same } from "../verify/everywhere.js";

interface Asked {
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly content?: string }[];
  }[];
  readonly tools: readonly { readonly name: string }[];
}

/** A fake model API: calls a tool, then repeats its result. */
const model = createServer((request, response) => {
  void text(request).then((body) => {
    const { messages, tools } = JSON.parse(body) as Asked;
    const last = messages.at(-1)?.content ?? "";
    const content =
      typeof last === "string"
        ? [
            { type: "text", text: "Let me see" },
            ...tools
              .filter(({ name }) => name === "add-note")
              .map(({ name }) => ({ type: "tool_use", id: "1", name, input: { title: last, text: "from the chat" } })),
          ]
        : [{ type: "text", text: `Result: ${last.map(({ content }) => content).join()}` }];
    const isAllowed = request.headers["x-api-key"] === "secret";
    response.writeHead(isAllowed ? 200 : 401, { "Content-Type": "application/json" });
    response.end(JSON.stringify(isAllowed ? { content } : { error: "unknown API key" }));
  });
});
const baseUrl = `http://127.0.0.1:${await port(model)}`;
const notes = new URL("../notes/main.ts", import.meta.url);

await everywhere({ name: "chat", servers: [notes] }, async ([client]) => {
  const options = { model: anthropic({ apiKey: "secret", model: "any", baseUrl }), clients: [client] };
  const willing = new Chat({ ...options, approve: () => true });
  same(await willing.ask("Milk"), "Result: Noted as milk\nnote:///milk");
  same(await willing.ask("Milk"), "Result: The note milk already exists");
  const careful = new Chat({ ...options, approve: ({ args }) => args["title"] === "Tea" });
  same(await careful.ask("Beer"), "Result: The user rejected this call");
  same(await careful.ask("Tea"), "Result: Noted as tea\nnote:///tea");
});

/** Runs the program as a user does, and returns its output. */
async function typed(input: string, ...args: readonly string[]) {
  const [command, ...loader] = node;
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const env = { ...process.env, ANTHROPIC_API_KEY: "secret", ANTHROPIC_BASE_URL: baseUrl };
  return new Promise<string>((resolve) => {
    const child = execFile(command, [...loader, main, ...args], { env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
    child.stdin?.end(input);
  });
}

const server = fileURLToPath(notes);
const output = await typed("Eggs\ny\n\nquit\n", server);
same(/has these tools: .*add-note/.test(output) && output.includes("Result: Noted as eggs"), true, output);
same((await typed("", "server.rb")).trim(), "server.rb is not a .js, .ts or .py file, and not an HTTP URL");
same((await typed("")).trim(), "Usage: main.ts <server.js | server.py | URL>…");
console.log("ok chat on the command line");
model.close();
