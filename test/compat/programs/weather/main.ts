import { fileURLToPath } from "node:url";
import { Client, type Tool } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { failure, see, seeAll } from "../transcript.js";

const script = fileURLToPath(new URL("server.ts", import.meta.url));

for (const mode of ["legacy", "auto"] as const) {
  const lists: unknown[] = [];
  const client = new Client(
    { name: "walker", version: "1.0.0" },
    {
      versionNegotiation: { mode },
      jsonSchemaValidator: new AjvJsonSchemaValidator(),
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged: (error: Error | null, tools: Tool[] | null) => lists.push([error, tools?.map(({ name }) => name)]),
        },
      },
    },
  );
  client.onclose = () => see("closed", mode);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", script],
    stderr: "inherit",
  });
  await client.connect(transport);
  see("connected", [mode, client.getProtocolEra(), client.getServerVersion()]);
  const { tools } = await client.listTools();
  see(
    "tools",
    tools.map(({ name, inputSchema, outputSchema }) => [name, inputSchema, outputSchema]),
  );
  for (const name of ["forecast-ajv", "forecast-cfworker"]) {
    const call = (city: string) => client.callTool({ name, arguments: { city } });
    const { content, structuredContent } = await call("Oslo");
    see(name, [content, structuredContent]);
    // The texts of the validators are their own.
    see("invalid", [(await call("O")).isError, (await call("Nowhere")).isError]);
  }
  see("hidden", await client.callTool({ name: "storm" }).catch(failure));
  const { content } = await client.callTool({ name: "season" });
  see("season", content);
  await seeAll("lists", lists, 1);
  const storm = await client.callTool({ name: "storm" });
  see("storm", storm.content);
  await client.close();
}
