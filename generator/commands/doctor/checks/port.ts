import { once } from "node:events";
import { createServer } from "node:net";
import { hasCode } from "../../../shared/files/file-errors.js";
import { type CheckResult, problem } from "../finding.js";

/** Whether a port of the loopback interface is free. The check listens on it for a moment. */
export async function checkPort(port: number): Promise<CheckResult> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    const remedy = "stop the program that uses it, or choose another port: --http <port>";
    if (hasCode(error, "EADDRINUSE")) return [problem("warning", `port ${port} is in use`, remedy)];
    if (hasCode(error, "EACCES"))
      return [problem("warning", `you may not listen on port ${port}`, "choose a port above 1023: --http <port>")];
    throw error;
  }
  server.close();
  await once(server, "close");
  return `port ${port} is free`;
}
