import { spawn } from "node:child_process";
import { booking, drive, info, revision, server } from "./driver.js";

const meta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": info,
};
const stateless = revision === "2026-07-28";

/** The floors: serialise the same requests, parse the replies, and nothing else. */
export function rawClient(
  write: (text: string, to: NodeJS.WritableStream) => void,
  turn: (to: NodeJS.WritableStream) => void,
): void {
  const { stdin, stdout } = spawn(process.execPath, [server, "1", revision], { stdio: ["pipe", "pipe", "inherit"] });
  let id = 0;
  let left = 0;
  let waiting = 0;
  let done: () => void = () => undefined;

  function send(): void {
    left--;
    waiting++;
    const params = stateless ? { ...booking, _meta: meta } : booking;
    write(JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params }) + "\n", stdin);
  }

  let rest = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { result } = JSON.parse(line) as { result?: { content?: unknown } };
      if (!result?.content) throw new Error(`not the right answer: ${line}`);
      waiting--;
      if (left > 0) send();
    }
    turn(stdin);
    if (waiting === 0) done();
  });

  drive((calls, inFlight) => {
    left = calls;
    return new Promise((resolve) => {
      done = resolve;
      for (let first = Math.min(inFlight, calls); first > 0; first--) send();
      turn(stdin);
    });
  });
}
