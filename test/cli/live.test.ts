import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { weatherCommand, weatherUrl } from "../generator/shared/sessions/places.js";
import { sandbox } from "../generator/shared/files/sandbox.js";
import { childCli, cli, cliOn, exitCode, startCli } from "./command-line.js";

describe("wrong usage", () => {
  test.each([
    ["inspect", "A server is required: a command, a URL or an mcpServers.json."],
    ["bind", "A server is required: a command, a URL or an mcpServers.json."],
    [
      "inspect node x.js --port 3",
      "Put a server command with its own options after --: mcpwright inspect -- node server.js --port 1",
    ],
    ["inspect x --call a --read b", "Use only one of --call, --app, --read, --prompt, --complete and --watch."],
    ["inspect x --app a --call b", "Use only one of --call, --app, --read, --prompt, --complete and --watch."],
    ["inspect x --args {}", "--args requires --call or --app."],
    ["inspect x --arg a=1", "--arg requires --call, --app, --prompt or --complete."],
    ["inspect x --call a --screenshot a.png", "--screenshot requires --app."],
    ["inspect x --app a --screenshot a.jpg", "The file of --screenshot must end in .png."],
    ["inspect x --app a --task", "--task requires --call."],
    ["inspect x --call a --args [1]", "--args must be a JSON object"],
    ["inspect x --call a --args {", "--args is not valid JSON: "],
    ["inspect x --call a --call b", "--call must not be repeated."],
    ["inspect x --prompt a --arg b", "--arg takes key=value, not b"],
    ["inspect x --complete prompt:a", "--complete requires 2 values."],
    ["inspect x --complete prompt:a b", "--complete takes key=value, not b"],
    ["inspect x --answer 1", "--answer must be a JSON object"],
    ["inspect x --losses 2025-06-19", "not 2025-06-19; did you mean 2025-06-18?"],
    ["inspect --losses server.js", "not server.js; for all revisions, put --losses last or write --losses="],
    [
      "inspect x --losses 1999-01-01",
      "--losses takes a revision (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28), not 1999-01-01",
    ],
    ["inspect x --losses 2025-06-18 --losses 2025-06-18", "--losses must not be repeated."],
    [
      "inspect x --call a --losses=",
      "--losses cannot be used with --call, --app, --read, --prompt, --complete or --watch.",
    ],
    ["inspect x --watch a --losses 2025-06-18", "--losses cannot be used with --call,"],
    ["inspect --trace x", "The file of --trace must end in .jsonl"],
    ["inspect x --header a", "--header must be 'Name: value'."],
    ["inspect x --env NO_SUCH_VARIABLE", "NO_SUCH_VARIABLE is neither."],
    ["inspect x --timeout soon", "--timeout must be a positive number of seconds, at most 86400."],
    ["inspect x --timeout 0", "--timeout must be a positive number of seconds, at most 86400."],
    ["inspect x --revision 1999-01-01", "error[revision-unknown]: unknown revision 1999-01-01"],
    ["inspect x.ts", "error[target-typescript]: "],
    ["inspect ws://h", "error[target-url-invalid]: "],
    ["bind x --out x.js", "The file of --out must end in .ts."],
    ["bind x --check", "--check requires --out, the file to compare with the server."],
    ["bind x --json", "--json requires --out; without it, the client is printed."],
  ])("mcpwright %s", async (line, told) => {
    const outcome = await cli(...line.split(" "));
    expect(outcome).toMatchObject({ code: 2, out: "" });
    expect(outcome.err).toContain(told);
  });
});

describe("inspect", () => {
  test("prints what the server offers, and its standard error beside it", async () => {
    const { code, out, err } = await cli("inspect", "--", ...weatherCommand());
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("weather 1.2.0 - Weather\n  speaks 2026-07-28 over stdio; each request stands alone\n");
    expect(out).toContain(
      '  get-forecast - Forecast [read-only, not open world]\n    The weather of the days to come.\n    (city: string, days?: integer 1.., exact?: boolean) -> { degrees: number, sky?: "clear" | "cloudy" }\n',
    );
    expect(out).toContain("\nPrompts (1)\n  plan-trip\n    Plans a trip.\n    (city, days?)\n");
  });

  test("--losses prints what clients of a revision do not get, or those of each", async () => {
    const { code, out, err } = await cli("inspect", "--losses", "2025-03-26", "--", ...weatherCommand());
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("\nPrompts (1)\n");
    expect(out).toContain(
      "\nLosses for clients of 2025-03-26 (14)\n" +
        "  tools/list\n    drops Tool.outputSchema: The schema of structured content.\n      get-forecast\n",
    );
    expect(out).toContain("\n  elicitation/create\n    is not supported\n");
    expect(out).toContain("    may change ResourceLink: All members of the link except name and URI,");
    const all = await cli("inspect", "--losses=", await weatherUrl());
    expect(all.out.match(/^Losses for clients of .*/gm)).toHaveLength(5);
    expect(all.out).toContain("\nLosses for clients of 2026-07-28 (0)\n");
    expect(all.out).not.toContain("recorded");
  });

  test("colours are for terminals alone", async () => {
    expect((await cliOn({ isTTY: true }, "inspect", "--", ...weatherCommand())).out).toContain("\u001b[1mweather");
  });

  test("--json is stable", async () => {
    const { out } = await cli("inspect", "--json", await weatherUrl());
    const { target, tools, ...rest } = JSON.parse(out) as Record<string, unknown>;
    expect(target).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(tools).toHaveLength(6);
    expect(Object.keys(rest)).toEqual([
      "transport",
      "era",
      "revision",
      "server",
      "instructions",
      "capabilities",
      "resources",
      "resourceTemplates",
      "prompts",
      "notes",
    ]);
  });

  const call = ["inspect", "--call", "get-forecast"];
  test.each([
    [
      "a result",
      ["--arg", "city=Rome", "--arg", "days=3"],
      0,
      /^\{"city":"Rome","days":3\}\nStructured content\n\{\n {2}"degrees": 3,/,
    ],
    ["arguments as JSON", ["--args", '{"city":"Oslo"}'], 0, /"city":"Oslo"/],
    ["a tool that fails", ["--arg", "city=Atlantis"], 1, /^The tool failed\.\nThere is no such city\.\n$/],
    ["an argument of another type", ["--arg", "days=soon"], 2, /^$/],
  ])("--call: %s", async (_name, args, code, out) => {
    expect(await cli(...call, ...args, "--", ...weatherCommand())).toMatchObject({
      code,
      out: expect.stringMatching(out) as string,
    });
  });

  test("--call reports output that violates its schema, and prints it", async () => {
    const { code, out, err } = await cli(...call, "--arg", "city=Hell", "--", ...weatherCommand());
    expect({ code, err }).toEqual({
      code: 0,
      err: "finding[output-unfit]: the structured content of the tool get-forecast does not match its output schema: /degrees must be a number\n  This is a bug in the server; clients may reject such a result.\n",
    });
    expect(out).toContain('"degrees": "hot"');
  });

  test.each([
    [["--read", "note:///today"], "note:///today\nTake an umbrella.\n"],
    [["--prompt", "plan-trip", "--arg", "city=Oslo"], "user:\nPlan a trip to Oslo.\n"],
    [["--complete", "prompt:plan-trip", "city=R"], "Rome\nRiga\n"],
    [["--complete", "note:///{id}{?page}", "id=o"], "one\n"],
  ])("%j", async (args, out) => {
    expect(await cli("inspect", ...args, "--", ...weatherCommand())).toMatchObject({ code: 0, out });
  });

  test("--trace shows all messages, one in a line", async () => {
    const { err } = await cli("inspect", "--trace=", "--", ...weatherCommand());
    const lines = err.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ +\d+ ms -> \{"jsonrpc":"2\.0","id":1,"method":"server\/discover"/);
    expect(lines.length).toBeGreaterThanOrEqual(10);
    for (const line of lines) expect(line).toMatch(/^ +\d+ ms (->|<-) \{/);
  });

  test("--trace records them in a file, which a later trace may replace, but nothing else", async () => {
    const folder = sandbox();
    const trace = join(folder, "t.jsonl");
    for (const _time of ["once", "again"])
      expect(await cli("inspect", "--trace", trace, "--", ...weatherCommand())).toMatchObject({ code: 0, err: "" });
    const lines = readFileSync(trace, "utf8").trimEnd().split("\n");
    const messages = lines.map(
      (line) => JSON.parse(line) as { at: number; from: string; message: { method?: string } },
    );
    expect(messages[0]).toMatchObject({ from: "client", message: { method: "server/discover" } });
    expect(messages[1]).toMatchObject({ from: "server", message: { id: 1 } });
    expect(messages.every(({ at }) => Number.isInteger(at))).toBe(true);
    const mine = join(folder, "mine.jsonl");
    writeFileSync(mine, "my notes\n");
    expect((await cli("inspect", "--trace", mine, "--", ...weatherCommand())).err).toContain(
      "error[trace-not-writable]",
    );
    expect(readFileSync(mine, "utf8")).toBe("my notes\n");
  });

  test("a configuration's server", async () => {
    const config = join(sandbox(), "mcpServers.json");
    const [script, ...args] = weatherCommand();
    const servers = { weather: { command: process.execPath, args: [script, ...args] }, other: { command: "x" } };
    writeFileSync(config, JSON.stringify({ mcpServers: servers }));
    expect(await cli("inspect", config, "--server", "weather")).toMatchObject({ code: 0 });
    expect(await cli("inspect", config)).toMatchObject({ code: 2, out: "" });
  });

  test("--env hands variables on, and no others", async () => {
    process.env["MCPWRIGHT_TEST"] = "handed on";
    const tell =
      "console.error(`${process.env.MCPWRIGHT_TEST} ${process.env.OTHER} ${process.env.HIDDEN}`); process.exit(1)";
    process.env["HIDDEN"] = "hidden";
    const args = ["inspect", "--env", "MCPWRIGHT_TEST", "--env", "OTHER=a=b", "--", process.execPath, "-e", tell];
    expect((await cli(...args)).err).toContain("it wrote: handed on a=b undefined");
    delete process.env["MCPWRIGHT_TEST"];
    delete process.env["HIDDEN"];
  });
});

describe("bind", () => {
  test("prints or writes the client; --check reports changes", async () => {
    const out = join(sandbox(), "weather.ts");
    const printed = await cli("bind", "--", ...weatherCommand());
    expect(printed).toMatchObject({ code: 0, err: "" });
    expect(printed.out).toContain("export async function getForecast(");
    expect(await cli("bind", "--out", out, "--", ...weatherCommand())).toEqual({
      code: 0,
      err: "",
      out: `${out} was written: 6 tools, 1 prompt, 1 template, 1 resource\n`,
    });
    const check = ["bind", "--check", "--out", out];
    expect(await cli(...check, "--", ...weatherCommand())).toEqual({
      code: 0,
      err: "",
      out: `${out} is up to date: 6 tools, 1 prompt, 1 template, 1 resource\n`,
    });
    const drifted = await cli(...check, "--", ...weatherCommand({ later: true }));
    expect(drifted).toMatchObject({ code: 1, err: expect.stringContaining("finding[bind-drift]: ") as string });
    expect(drifted.out).toContain('the tool "list-cities" is new\n');
    const json = await cli(...check, "--json", "--", ...weatherCommand({ later: true }));
    expect(json).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(json.out)).toMatchObject({ out, file: "checked", tools: 6, drift: expect.any(Array) as unknown });
  });
});

describe.each(["source", "bundle"] as const)("as a process, from %s", { timeout: 60_000 }, (program) => {
  test("bind writes a client", async () => {
    const cwd = sandbox();
    const outcome = await childCli(["bind", "--out", "w.ts", "--", ...weatherCommand()], { program, cwd });
    expect(outcome).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(cwd, "w.ts"), "utf8")).toContain("mcpwright bind --out w.ts -- ");
  });

  test("Ctrl-C ends an inspection and its server", async () => {
    const serve = "console.error(process.pid); setInterval(() => {}, 1000)";
    const trace = join(sandbox(), "t.jsonl");
    const say = `console.log(JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { pid: process.pid } }))`;
    const args = ["inspect", "--trace=", "--", process.execPath, "-e", `${say}; ${serve}`];
    const child = startCli(args, { program, cwd: join(trace, "..") });
    let err = "";
    while (!err.includes("notifications/x"))
      err += String((await once(child.stderr as NodeJS.ReadableStream, "data"))[0]);
    const pid = Number(/"pid":(\d+)/.exec(err)?.[1]);
    child.kill("SIGINT");
    expect(await exitCode(child)).toBe(130);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  test("a closed output pipe is not an error", async () => {
    const child = startCli(["inspect", "--json", "--", ...weatherCommand()], { program });
    child.stdout?.destroy();
    expect(await exitCode(child)).toBe(0);
  });
});
