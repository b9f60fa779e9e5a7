/** A server process that receives a signal (AC8). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { call, modern, open, R4, request, until } from "./messages.js";
import { Answer, type Host, type Sent } from "./hosts.js";

const source = `
  import { McpServer } from "../../../runtime/src/server.js";
  import { serveHttp } from "../../../runtime/src/node.js";
  const server = new McpServer({ name: "child", version: "1" }, { capabilities: { logging: {} } });
  server.registerTool("wait", {}, async (context) => {
    context.log("warning", "waiting");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return { content: [{ type: "text", text: "done" }] };
  });
  const { url, closed } = await serveHttp(server);
  console.log(url.href);
  void closed.then(() => console.log("closed"));
`;

async function start() {
  const outfile = join(temporaryFolder("http"), "serve.mjs");
  const stdin = { contents: source, resolveDir: import.meta.dirname, loader: "ts" } as const;
  buildSync({ stdin, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  const child = spawn(process.execPath, [outfile], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  let output = line;
  child.stdout.on("data", (text: string) => (output += text));
  const send = async ({ method = "POST", headers, body }: Sent): Promise<Answer> => {
    const init = { method, headers: headers as Record<string, string>, body: JSON.stringify(body) };
    const { status, headers: fields, body: stream } = await fetch(line.trim(), init);
    return new Answer(
      status,
      (name) => fields.get(name) ?? undefined,
      stream as AsyncIterable<Uint8Array>,
      () => undefined,
    );
  };
  return { child, at: { send } as Host, output: () => output };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s: answers running requests, ends subscriptions, then the process",
  async (signal) => {
    const { child, at, output } = await start();
    const listening = await at.send(modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
    await listening.message();
    const streaming = await at.send(
      call(2, "wait", undefined, { meta: { "io.modelcontextprotocol/logLevel": "info" } }),
    );
    await streaming.message();
    const plainly = at.send(call(3, "wait"));
    const session = await open(at, R4);
    const inSession = session.post(request(4, "tools/call", { name: "wait" }));
    await (await inSession).message();
    const ended = once(child, "exit");
    child.kill(signal);
    expect(await listening.messages()).toMatchObject([{ id: 1, result: {} }]);
    const refused = await at.send(call(5, "wait"));
    expect(refused.status).toBe(503);
    const done = { result: { content: [{ text: "done" }] } };
    expect(await streaming.messages()).toMatchObject([{ id: 2, ...done }]);
    expect(await (await plainly).json()).toMatchObject({ id: 3, ...done });
    expect(await (await inSession).messages()).toMatchObject([{ id: 4, ...done }]);
    expect(await ended).toEqual([0, null]);
    expect(output()).toMatch(/\nclosed\n$/);
    await until(() => child.exitCode === 0);
  },
);
