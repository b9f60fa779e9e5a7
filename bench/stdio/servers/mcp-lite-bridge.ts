import type { McpServer } from "mcp-lite";

/** mcp-lite has no stdio transport: this one reads lines and writes all replies of one event loop turn at once. */
export function bridge(server: McpServer): void {
  let rest = "";
  let replies = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") void answer(line);
  });

  async function answer(line: string): Promise<void> {
    const reply = await server._dispatch(JSON.parse(line) as Parameters<McpServer["_dispatch"]>[0]);
    if (reply === null) return;
    if (replies === "") setImmediate(flush);
    replies += JSON.stringify(reply) + "\n";
  }

  function flush(): void {
    process.stdout.write(replies);
    replies = "";
  }
}
