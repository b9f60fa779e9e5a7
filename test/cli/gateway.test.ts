import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  configText,
  isRunning,
  patient,
  processConfig,
  processServer,
  textOf,
  toolNames,
} from "../generator/commands/gateway/places.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { Client } from "../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { StdioClientTransport } from "../../runtime/src/stdio.js";
import { childCli, type ChildOptions, cli, commandLine, startCli } from "./command-line.js";

const client = (onerror?: (error: Error) => void): Client =>
  new Client({ name: "test", version: "1.0.0" }, onerror && { onerror });

function configFile(text: string): string {
  const folder = sandbox();
  put(folder, { "gateway.json": text });
  return join(folder, "gateway.json");
}

/** A host that starts the gateway. */
async function hostOf(args: readonly string[], { cwd, env }: ChildOptions = {}) {
  const [command = "", ...words] = commandLine(["gateway", ...args]);
  const transport = new StdioClientTransport({
    command,
    args: words,
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
  });
  let err = "";
  transport.stderr?.on("data", (chunk) => (err += String(chunk)));
  const noise: Error[] = [];
  const host = client((error) => noise.push(error));
  await host.connect(transport, { timeoutMs: 25_000 });
  onTestFinished(() => host.close());
  return { host, transport, noise, err: () => err };
}

describe("wrong usage", () => {
  test.each([
    ["gateway", "A configuration, a URL, --from or a command after -- is required."],
    ["gateway a.json --from claude", "Use only one of a configuration, a URL, --from and a command after --."],
    ["gateway a.json -- node x.js", "Use only one of a configuration, a URL, --from and a command after --."],
    ["gateway --from emacs", '--from must be one of claude, claude-code, cursor, vscode, not "emacs".'],
    ["gateway a.json --http x", "--http must be a port: 0 to 65535."],
    ["gateway a.json --http 70000", "--http must be a port: 0 to 65535."],
    ["gateway a.json --host localhost", "--host and --allowed-host require --http."],
    ["gateway a.json --http 1 --host 0.0.0.0", "--host 0.0.0.0 requires --allowed-host"],
    ["gateway https://example.com/mcp --check", "--check requires a configuration."],
    ["gateway a.json --connect", "--connect requires --check."],
    ["gateway a.json --yes", "--yes requires --from."],
    ["gateway a.json --env A=b", "--env requires a command after --."],
    ["gateway a.json --header A:b", "--header requires a URL."],
    ["gateway a.json --token x", "--token requires a URL."],
    ["gateway ftp://example.com", "error[target-url-invalid]: "],
    ["gateway node server.js", "Too many arguments, starting at server.js"],
    ["gateway lock", "A configuration or --from is required."],
    ["gateway lock a.json --from claude", "Use only one of a configuration and --from."],
    ["gateway lock a.json --yes", "--yes requires --from."],
    ["gateway lock a.json b.json", "Too many arguments, starting at b.json: mcpwright gateway lock [config]"],
    ["gateway lock a.json --http 1", "Unknown option: --http."],
  ])("mcpwright %s", async (line, told) => {
    const outcome = await cli(...line.split(" "));
    expect(outcome).toMatchObject({ code: 2, out: "" });
    expect(outcome.err).toContain(told);
  });
});

describe("lock", () => {
  test("is written, compared, and enforced", async () => {
    const pinned = (more: object = {}): string =>
      configText({ here: processConfig(more) }, { gateway: { pinning: "quarantine" } });
    const path = configFile(pinned());
    const file = path.replace(/json$/, "lock.json");
    const [missing, written] = [await cli("gateway", path, "--check"), await cli("gateway", "lock", path)];
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.out).toContain("gateway-lock-missing");
    expect(written).toMatchObject({ code: 0 });
    expect(written.out).toContain(`${file}: 1 server, 3 changes, written\n`);
    expect(await cli("gateway", "lock", path, "--check")).toMatchObject({
      code: 0,
      out: `${file}: 1 server, no changes\n`,
    });
    expect(await cli("gateway", path, "--check")).toMatchObject({ code: 0 });

    // The tools are named after the variable.
    writeFileSync(path, pinned({ env: { GATEWAY_TEST_TOOL: "intruder" } }));
    const changed = await cli("gateway", "lock", path, "--check");
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.out).toContain('added: tool "intruder"');
    const { host, err } = await hostOf([path]);
    expect(await toolNames(host)).toEqual(["here_pid", "here_variable", "here_folder"]);
    await expect(host.callTool({ name: "here_intruder" })).rejects.toThrow("is withheld");
    await expect.poll(err, patient).toContain('added: tool "intruder"');
  });

  test("commands of a host need an approval", async () => {
    const home = sandbox();
    const cwd = sandbox();
    put(cwd, { ".mcp.json": configText({ here: processConfig() }) });
    const place = { cwd, env: { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home, APPDATA: home } };
    const refused = await childCli(["gateway", "lock", "--from", "claude-code"], place);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain("here is not locked, it has no entry: it is not approved");
    expect(existsSync(join(cwd, ".mcp.lock.json"))).toBe(false);
    const approved = await childCli(["gateway", "lock", "--from", "claude-code", "--yes"], place);
    expect(approved).toMatchObject({ code: 0 });
    expect(approved.out).toContain(".mcp.lock.json: 1 server, 3 changes, written");
  });
});

describe("--check", () => {
  test("reports every mistake with its place, and starts nothing", async () => {
    const path = configFile(
      '{\n  "mcpServers": {\n    "a": { "comand": "node" },\n    "b": { "command": "no-such-program" },\n  },\n}\n',
    );
    const { code, out, err } = await cli("gateway", path, "--check");
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out.split("\n")).toEqual([
      expect.stringContaining(`${path}:3:5  error  gateway-server-incomplete: `),
      expect.stringContaining(`${path}:3:12  error  gateway-field-unknown: `),
      expect.stringContaining(`${path}:4:23  error  gateway-command-not-found: `),
      `${path}: 3 errors`,
      "",
    ]);
  });

  test("of a valid configuration succeeds", async () => {
    const path = configFile(configText({ here: processConfig() }));
    expect(await cli("gateway", path, "--check")).toEqual({
      code: 0,
      out: `${path}: 1 server, no problems\n`,
      err: "",
    });
  });

  test("of a file that is not there", async () => {
    const { code, err } = await cli("gateway", join(sandbox(), "none.json"), "--check");
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("error[config-not-readable]") as string });
  });
});

describe("over stdio", () => {
  test("a host gets the servers of a configuration, follows its edits, and ends all processes", async () => {
    const path = configFile(configText({ here: processConfig() }));
    const { host, transport, noise, err } = await hostOf([path]);
    expect(await toolNames(host)).toEqual(["here_pid", "here_variable", "here_folder"]);
    const pids = [transport.pid ?? 0, Number(await textOf(host, "here_pid"))];
    expect(pids.every(isRunning)).toBe(true);
    await expect.poll(err, patient).toContain("here: ready\\u001b[31m\n");
    writeFileSync(path, configText({ here: processConfig(), there: processConfig() }));
    await expect.poll(err, patient).toContain("Servers: added there.");
    expect(await toolNames(host)).toHaveLength(6);
    expect(Number(await textOf(host, "here_pid"))).toBe(pids[1]);
    await host.close();
    await expect.poll(() => pids.some(isRunning), patient).toBe(false);
    expect(noise).toEqual([]);
  });

  test("a command of the command line keeps its names", async () => {
    const { host } = await hostOf(["--env", "GATEWAY_TEST=given", "--", process.execPath, processServer()]);
    expect(await toolNames(host)).toEqual(["pid", "variable", "folder"]);
    expect(await textOf(host, "variable")).toBe("given");
  });

  test("commands of a host are started after an approval", async () => {
    const home = sandbox();
    const cwd = sandbox();
    put(cwd, { ".mcp.json": configText({ here: processConfig() }) });
    const place = { cwd, env: { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home, APPDATA: home } };
    const refused = await childCli(["gateway", "--from", "claude-code"], place);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(`starts this command:\n  ${process.execPath} ${processServer()}\n`);
    expect(refused.err).toContain("error[gateway-command-unapproved]");
    const { host } = await hostOf(["--from", "claude-code", "--yes"], place);
    expect(await textOf(host, "here_pid")).not.toBe("");
    await host.close();
    const again = await hostOf(["--from", "claude-code"], place);
    expect(await textOf(again.host, "here_pid")).not.toBe("");
    expect(again.err()).not.toContain("starts this command");
  });
});

test.each(["SIGTERM", "SIGINT"] as const)("over HTTP, until %s", async (signal) => {
  const child = startCli(["gateway", "--http", "0", "--", process.execPath, processServer()]);
  const ended = once(child, "close");
  let err = "";
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  await expect.poll(() => err, { timeout: 20_000 }).toMatch(/^Serving 1 server at http:\S+\/mcp\n/);
  const [url = ""] = /http:\S+/.exec(err) ?? [];
  const host = client();
  await host.connect(new StreamableHTTPClientTransport(url));
  const pid = Number(await textOf(host, "pid"));
  child.kill(signal);
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => isRunning(pid), patient).toBe(false);
  await host.close();
});
