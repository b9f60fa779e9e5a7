import { describe, expect, onTestFinished, test, vi } from "vitest";
import { clientSides } from "../../../../generated/client-sides.js";
import { Client } from "../../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../../runtime/src/client/http.js";
import { callText, running, type RunningDev } from "./running.js";
import { project, serverFiles, textFile } from "./project.js";

async function served(): Promise<RunningDev & ReturnType<typeof project> & { readonly url: URL }> {
  const made = project(serverFiles);
  let run: RunningDev | undefined;
  const url = new Promise<URL>((onListening) => {
    run = running({ entry: "src/main.ts", cwd: made.folder, http: { port: 0 }, onListening });
  });
  if (!run) throw new Error("not started");
  return { ...made, ...run, url: await Promise.race([url, run.ended.then(() => url)]) };
}

async function clientOf(url: URL, revision: string): Promise<Client> {
  const revisions = clientSides.filter((side) => side.revision === revision);
  const client = new Client({ name: "test", version: "1.0.0" }, { revisions });
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());
  return client;
}

function pidOf(text: string): string | undefined {
  return text.split(" ").at(-1);
}

describe("over HTTP", { timeout: 120_000 }, () => {
  test.each(["2025-03-26", "2025-06-18", "2025-11-25"])(
    "each session of %s has a process, and survives an edit",
    async (revision) => {
      const { url, put, processes, end } = await served();
      const [one, other] = [await clientOf(url, revision), await clientOf(url, revision)];
      const changed = vi.fn();
      one.onChanged("tools", changed);
      const texts = [await callText(one), await callText(other)];
      expect(new Set(texts.map(pidOf)).size).toBe(2);
      put({ "src/text.ts": textFile("second") });
      for (const client of [one, other])
        await vi.waitFor(async () => expect(await callText(client)).toContain("second"));
      await vi.waitFor(() => expect(changed).toHaveBeenCalled());
      expect(processes()).toHaveLength(2);
      await other.close();
      await vi.waitFor(() => expect(processes()).toHaveLength(1));
      await end();
      expect(processes()).toEqual([]);
    },
  );

  test("requests without a session share a process, and their streams survive an edit", async () => {
    const { url, put, processes } = await served();
    const [one, other] = [await clientOf(url, "2026-07-28"), await clientOf(url, "2026-07-28")];
    const changes = [vi.fn(), vi.fn()];
    one.onChanged("tools", () => void changes[0]?.());
    other.onChanged("tools", () => void changes[1]?.());
    const texts = await Promise.all([callText(one), callText(other), callText(one)]);
    expect(new Set(texts.map(pidOf)).size).toBe(1);
    put({ "src/text.ts": textFile("second") });
    await vi.waitFor(async () => expect(await callText(one)).toContain("second"));
    for (const changed of changes) await vi.waitFor(() => expect(changed).toHaveBeenCalled());
    expect(processes()).toHaveLength(1);
  });

  test("the headers of requests are checked, and requests of other hosts are refused", async () => {
    const { url } = await served();
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
    };
    const post = (more: Record<string, string>): Promise<Response> =>
      fetch(url, { method: "POST", body, headers: { ...headers, ...more } });
    const mismatch = await post({ "mcp-method": "tools/call" });
    expect(mismatch.status).toBe(400);
    expect(await mismatch.json()).toMatchObject({ id: 1, error: { code: -32020 } });
    const listed = await post({ "mcp-method": "tools/list" });
    expect(await listed.json()).toMatchObject({ id: 1, result: { tools: [{ name: "text" }] } });
    expect((await post({ "mcp-method": "tools/list", origin: "https://example.com" })).status).toBe(403);
  });
});
