import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { gateway } from "../../../../generator/commands/gateway/gateway.js";
import { put, sandbox } from "../../shared/files/sandbox.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { tasks as serverTasks } from "../../../../runtime/src/tasks.js";
import { tasks as clientTasks } from "../../../../runtime/src/tasks/client.js";
import { httpServer, urlOf, weatherUrl } from "../../shared/sessions/places.js";
import { loginPlace } from "../login/logged-in.js";
import {
  configFile,
  configText,
  isRunning,
  patient,
  processConfig,
  processServer,
  running,
  textOf,
  toolNames,
} from "./places.js";

describe("a configuration", () => {
  test("its servers are served as one, and end with the gateway", async () => {
    const config = configFile({ here: processConfig(), weather: { url: await weatherUrl() } });
    const { client, lines, end } = await running({ config });
    expect((await toolNames(client)).slice(0, 4)).toEqual([...names("here"), "weather_get-forecast"]);
    expect(client.getServerVersion()?.name).toBe("mcpwright-gateway");
    const pid = Number(await textOf(client, "here_pid"));
    expect(isRunning(pid)).toBe(true);
    await expect.poll(() => lines, patient).toContain("here: ready\u001b[31m");
    await end();
    await expect.poll(() => isRunning(pid), patient).toBe(false);
  });

  test("tasks of its servers pass through", async () => {
    const server = new McpServer({ name: "worker", version: "1.0.0" }, { extensions: [serverTasks()] });
    server.registerTool("work", { task: "required" }, () => ({ content: [{ type: "text", text: "worked" }] }));
    const config = configFile({ here: { url: await urlOf(server) } });
    const { client } = await running({ config }, { extensions: [clientTasks()] });
    expect(await textOf(client, "here_work")).toBe("worked");
  });

  test("references are replaced when a server starts", async () => {
    const folder = sandbox();
    put(folder, {
      "secret.txt": "from a file\n",
      "gateway.json": configText({ here: processConfig({ env: { GATEWAY_TEST: "${file:secret.txt}" } }) }),
    });
    const { client, lines } = await running({ config: join(folder, "gateway.json") });
    expect(await textOf(client, "here_variable")).toBe("from a file");
    expect(lines.join("\n")).not.toContain("from a file");
  });

  test("settings of the gateway and of servers apply", async () => {
    const { client } = await running({
      config: configFile(
        {
          here: processConfig({ tools: { allow: ["pid"], rename: { pid: "process" } } }),
          off: processConfig({ disabled: true }),
        },
        { gateway: { name: "mine", names: { maxLength: 64 }, instructions: "Be kind." } },
      ),
    });
    expect(client.getServerVersion()?.name).toBe("mine");
    expect(client.getInstructions()).toBe("Be kind.");
    expect(await toolNames(client)).toEqual(["here_process"]);
  });

  test("a server that cannot start is reported, and does not affect the others", async () => {
    const config = configFile({ here: processConfig(), there: { command: "no-such-program-of-mine" } });
    const { client, lines } = await running({ config });
    expect(await toolNames(client)).toEqual(["here_pid", "here_variable", "here_folder"]);
    expect(lines.join("\n")).toContain("gateway-command-not-found");
  });

  test("all mistakes are reported at once, and nothing is served", async () => {
    const config = configFile({ one: { comand: "x" }, two: { url: 1 } }, { gateway: { nmae: "x" } });
    await expect(gateway({ config })).rejects.toMatchObject({
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ id: "gateway-server-incomplete" }),
        expect.objectContaining({ id: "gateway-field-invalid" }),
        expect.objectContaining({ id: "gateway-field-unknown", span: expect.anything() as object }),
      ]) as object,
    });
  });

  test("limits of a server apply", async () => {
    const config = configFile({ here: processConfig({ limits: { callsPerMinute: 1, concurrency: 1 } }) });
    const { client } = await running({ config });
    await textOf(client, "here_pid");
    await expect(textOf(client, "here_pid")).rejects.toThrow('Server "here" accepts 1 calls a minute');
  });

  test("requests are recorded in a file that only its owner can read, also after it was renamed", async () => {
    const config = configFile({ here: processConfig() }, { gateway: { audit: { file: "audit.jsonl" } } });
    const file = join(dirname(config), "audit.jsonl");
    const linesOf = (path: string): object[] =>
      readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
    const { client } = await running({ config });
    await textOf(client, "here_pid");
    expect(linesOf(file)).toMatchObject([{ server: "here", item: "here_pid", outcome: "ok" }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    renameSync(file, `${file}.1`);
    process.emit("SIGHUP");
    await expect.poll(() => existsSync(file)).toBe(true);
    await textOf(client, "here_pid");
    expect([linesOf(file), linesOf(`${file}.1`)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("a log that cannot be opened is reported before anything is served", async () => {
    const audit = { file: "${folder:-none}/audit.jsonl" };
    const config = configFile({ one: { url: "http://localhost:1/mcp" } }, { gateway: { audit } });
    await expect(gateway({ config })).rejects.toMatchObject({
      diagnostics: [{ id: "output-not-writable", message: expect.stringContaining("ENOENT") as string }],
    });
  });

  test("a file that does not exist, and options that the gateway refuses", async () => {
    await expect(gateway({ config: join(sandbox(), "none.json") })).rejects.toMatchObject({
      diagnostics: [{ id: "config-not-readable" }],
    });
    const config = configFile({ one: { url: "http://localhost:1/mcp", tools: { rename: { "a*": "b" } } } });
    await expect(gateway({ config })).rejects.toMatchObject({ diagnostics: [{ severity: "error" }] });
  });
});

describe("one server", () => {
  test("a command keeps its names, and gets variables", async () => {
    const { client, lines } = await running({
      command: [process.execPath, processServer()],
      env: { GATEWAY_TEST: "yes" },
    });
    expect(await toolNames(client)).toEqual(["pid", "variable", "folder"]);
    expect(await textOf(client, "variable")).toBe("yes");
    expect(lines[0]).toBe(`Serving 1 server over stdio\n  server  ${process.execPath} ${processServer()}`);
  });

  test("a URL keeps its names, and gets headers", async () => {
    const seen: unknown[] = [];
    const url = await httpServer((request, response) => {
      seen.push(request.headers["x-key"]);
      response.writeHead(500).end();
    });
    const { client, lines } = await running({ url, headers: { "X-Key": "secret" } });
    await client.listTools().catch(() => undefined);
    expect(seen[0]).toBe("secret");
    expect(lines.join("\n")).not.toContain("secret");
    const other = await running({ url: await weatherUrl() });
    expect((await toolNames(other.client))[0]).toBe("get-forecast");
  });

  test("the user logs in to a URL when the server requires it", async () => {
    const { url, credentials, pages, tell } = await loginPlace();
    const { client } = await running({ url, authorization: { credentials, openBrowser: false }, tell });
    expect((await toolNames(client)).length).toBeGreaterThan(0);
    expect(await Promise.all(pages)).toHaveLength(1);
  });

  test("a URL of another protocol is refused", async () => {
    await expect(gateway({ url: "ftp://example.com" })).rejects.toMatchObject({
      diagnostics: [{ id: "target-url-invalid" }],
    });
  });
});

describe("an edit of the configuration", () => {
  test("keeps the servers that it does not change, and the client", async () => {
    const servers = { kept: processConfig(), gone: { url: await weatherUrl() } };
    const config = configFile(servers);
    const { client, lines } = await running({ config });
    const pid = await textOf(client, "kept_pid");
    writeFileSync(config, configText({ kept: servers.kept, added: processConfig({ env: { GATEWAY_TEST: "1" } }) }));
    await expect.poll(() => lines, patient).toContain("Servers: added added; removed gone.");
    expect(await toolNames(client)).toEqual(["kept", "added"].flatMap((name) => names(name)));
    expect(await textOf(client, "kept_pid")).toBe(pid);
    expect(await textOf(client, "added_variable")).toBe("1");
  });

  test("replaces a server that it changes", async () => {
    const config = configFile({ here: processConfig() });
    const { client, lines } = await running({ config });
    const pid = await textOf(client, "here_pid");
    writeFileSync(config, configText({ here: processConfig({ env: { GATEWAY_TEST: "new" } }) }));
    await expect.poll(() => lines, patient).toContain("Servers: replaced here.");
    expect(await textOf(client, "here_variable")).toBe("new");
    expect(await textOf(client, "here_pid")).not.toBe(pid);
  });

  test("with mistakes is reported, and changes nothing", async () => {
    const config = configFile({ here: processConfig() });
    const { client, lines } = await running({ config });
    const pid = await textOf(client, "here_pid");
    writeFileSync(config, '{ "mcpServers": { "here": { "command": 1 }, } }');
    await expect.poll(() => lines.at(-1), patient).toBe(`${config} is not applied; the servers stay as they were.`);
    expect(lines.at(-2)).toContain("gateway-field-invalid");
    expect(await textOf(client, "here_pid")).toBe(pid);
  });

  test("of the gateway's own settings needs a restart", async () => {
    const servers = { here: processConfig() };
    const config = configFile(servers);
    const { lines } = await running({ config });
    writeFileSync(config, configText(servers, { gateway: { name: "other" } }));
    await expect.poll(() => lines.join("\n"), patient).toContain("gateway-restart-needed");
    expect(lines.join("\n")).not.toContain("Servers:");
  });
});

test("an edit is applied at SIGHUP", async () => {
  const config = configFile({ here: processConfig() });
  const { lines } = await running({ config });
  writeFileSync(config, configText({ there: processConfig() }));
  process.emit("SIGHUP");
  await expect.poll(() => lines, patient).toContain("Servers: added there; removed here.");
});

function names(server: string): readonly string[] {
  return ["pid", "variable", "folder"].map((tool) => `${server}_${tool}`);
}
