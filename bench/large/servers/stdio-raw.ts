/** The floor on stdio: reads lines, and writes one reply per request. */
import { rawReply } from "./raw-reply.js";

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const reply = rawReply(JSON.parse(line) as { readonly id?: number; readonly method: string });
    if (reply !== undefined) process.stdout.write(reply + "\n");
  }
});
