import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readTarget } from "../../../../generator/shared/sessions/read-target.js";
import type { TargetOptions } from "../../../../generator/shared/sessions/target.js";
import { targetName } from "../../../../generator/shared/sessions/target.js";
import { problems } from "../diagnostics/problems.js";
import { put, sandbox } from "../files/sandbox.js";

const node = process.execPath;
const here = import.meta.filename;

describe("a command line", () => {
  const table: readonly (readonly [string, readonly string[], object])[] = [
    ["a program", ["npx", "-y", "x"], { kind: "stdio", command: "npx", args: ["-y", "x"], env: {} }],
    ["a URL", ["http://h:1/mcp"], { kind: "http", url: new URL("http://h:1/mcp"), headers: {}, sse: false }],
    ["a URL behind a program", ["proxy", "http://h/"], { kind: "stdio", command: "proxy", args: ["http://h/"] }],
    ["a program and a .json", ["x", "y.json"], { kind: "stdio", command: "x", args: ["y.json"] }],
  ];
  test.each(table)("%s", (_name, target, expected) => {
    expect(readTarget({ target }).target).toMatchObject(expected);
  });

  test("scripts are started by what runs them", () => {
    const folder = sandbox();
    put(folder, { "a.js": "", "b.mjs": "", "c.py": "" });
    const command = (name: string) => readTarget({ target: [join(folder, name), "x"] }).target;
    expect(command("a.js")).toMatchObject({ command: node, args: [resolve(folder, "a.js"), "x"] });
    expect(command("b.mjs")).toMatchObject({ command: node });
    expect(command("c.py")).toMatchObject({ command: expect.stringMatching(/^python3?$/) as string });
  });

  const refused: readonly (readonly [string, TargetOptions, string])[] = [
    [
      "TypeScript",
      { target: [here] },
      `target-typescript: ${here} is a TypeScript file, which cannot be started directly`,
    ],
    ["no such script", { target: ["no.js"] }, "target-not-found: the file no.js does not exist"],
    ["another scheme", { target: ["ws://h/"] }, "target-url-invalid: ws://h/ is not an HTTP URL"],
    ["no URL", { target: ["http://:80:x"] }, "target-url-invalid: http://:80:x is not an HTTP URL"],
    [
      "a header for a command",
      { target: ["x"], headers: { A: "b" } },
      "target-option-unfit: --header does not apply to a server started by a command",
    ],
    [
      "a variable for a URL",
      { target: ["http://h/"], env: { A: "b" } },
      "target-option-unfit: --env does not apply to a server at a URL",
    ],
    [
      "a server of no configuration",
      { target: ["x"], server: "a" },
      "target-option-unfit: --server does not apply to x",
    ],
    [
      "a header that cannot be sent, without its value",
      { target: ["http://h/"], headers: { A: "secret\u0000" } },
      "target-header-invalid: A is not a valid HTTP header: its value contains invalid characters",
    ],
  ];
  test.each(refused)("%s is refused", (_name, options, expected) => {
    expect(problems(() => readTarget(options))).toEqual([expected]);
  });
});

describe("a configuration", () => {
  const read = (text: string, options: Partial<TargetOptions> = {}) => {
    const folder = sandbox();
    put(folder, { "c.json": text });
    const target = [join(folder, "c.json")];
    const shown = (run: () => unknown) => problems(run).map((line) => line.replaceAll(folder, "DIR"));
    return {
      found: () => readTarget({ target, ...options }),
      problems: () => shown(() => readTarget({ target, ...options })),
    };
  };
  const config = (servers: object, folder = "mcpServers") => JSON.stringify({ [folder]: servers });

  test.each([
    [
      "a command",
      config({ a: { command: "x", args: ["1"], env: { K: "v" }, cwd: "/tmp" } }),
      {},
      { kind: "stdio", command: "x", args: ["1"], env: { K: "v" }, cwd: "/tmp" },
    ],
    [
      "as another host has it",
      config({ a: { type: "stdio", command: "x" } }, "servers"),
      {},
      { command: "x", args: [] },
    ],
    ["a URL", config({ a: { url: "http://h/mcp", headers: { A: "b" } } }), {}, { headers: { A: "b" }, sse: false }],
    ["a URL of HTTP+SSE", config({ a: { type: "sse", url: "http://h/sse" } }), {}, { kind: "http", sse: true }],
    ["one of several", config({ a: { command: "x" }, b: { command: "y" } }), { server: "b" }, { command: "y" }],
    [
      "more variables",
      config({ a: { command: "x", env: { K: "v" } } }),
      { env: { K: "w", L: "u" } },
      { env: { K: "w", L: "u" } },
    ],
    [
      "comments and trailing commas",
      '{ // a\n"servers": { "a": { "command": "x", }, /* b */ } }',
      {},
      { command: "x" },
    ],
    ["a server with an odd name", config({ ["__proto__"]: { command: "x" } }), {}, { command: "x" }],
  ])("%s", (_name, text, options, expected) => {
    expect(read(text, options).found()).toMatchObject({ target: expected, notes: [] });
  });

  test.each([
    ["no JSON", '{\n  "mcpServers": {,}\n}', {}, /^DIR\/c\.json:2:18 config-malformed: /],
    ["cut off", '{"mcpServers": {', {}, /^DIR\/c\.json:1:17 config-malformed: /],
    ["something else", "[]", {}, /^DIR\/c\.json:1:1 config-malformed: the configuration has no "mcpServers"$/],
    ["no server", config({}), {}, /:1:15 config-malformed: the configuration has no servers$/],
    ["a server that is text", config({ a: "x" }), {}, /:1:20 config-malformed: a server must be an object$/],
    [
      "neither command nor URL",
      config({ a: {} }),
      {},
      /:1:20 config-malformed: a server must have a "command" or a "url"$/,
    ],
    [
      "a command that is a list",
      config({ a: { command: ["x"] } }),
      {},
      /:1:31 config-malformed: "command" must be a string$/,
    ],
    [
      "arguments that are text",
      config({ a: { command: "x", args: "y" } }),
      {},
      /:1:42 config-malformed: "args" must be an array of strings$/,
    ],
    [
      "variables that are numbers",
      config({ a: { command: "x", env: { A: 1 } } }),
      {},
      /config-malformed: "env" must be an object of strings$/,
    ],
    [
      "another type",
      config({ a: { type: "ws", url: "x" } }),
      {},
      /config-malformed: "type" must be "stdio", "http" or "sse"$/,
    ],
    ["a URL that is none", config({ a: { url: "x" } }), {}, /^target-url-invalid: x is not an HTTP URL$/],
    ["several", config({ a: {}, b: {} }), {}, /^config-server-unnamed: DIR\/c\.json configures 2 servers: a, b$/],
    [
      "another name",
      config({ weather: {} }),
      { server: "wether" },
      /^config-server-unknown: DIR\/c\.json does not configure a server named wether$/,
    ],
  ])("%s is refused", (_name, text, options, expected) => {
    expect(read(text, options).problems()).toEqual([expect.stringMatching(expected)]);
  });

  test("a name that is nearly right is suggested", () => {
    const { found } = read(config({ weather: {}, files: {} }), { server: "wether" });
    expect(found).toThrow("Did you mean weather? It has weather, files.");
  });

  test("a file that is not there, or no file, is refused", () => {
    const folder = sandbox();
    put(folder, { "d.json/x": "" });
    const refusal = (name: string) => problems(() => readTarget({ target: [join(folder, name)] }));
    expect(refusal("no.json")).toEqual([expect.stringMatching(/^config-not-readable: cannot read .*no\.json: ENOENT/)]);
    expect(refusal("d.json")).toEqual([expect.stringMatching(/^config-not-readable: .*EISDIR/)]);
  });

  test("reports variables that hosts replace, unless they have a value", () => {
    const text = config({ a: { command: "x", env: { KEY: "${KEY}", OTHER: "a${env:B}c" }, args: ["${DIR}"] } });
    const { notes } = read(text, { env: { KEY: "1" } }).found();
    expect(notes.map(({ id, message }) => `${id}: ${message}`)).toEqual([
      "config-variable-open: mcpServers.a.env.OTHER contains ${env:B}, which hosts replace and mcpwright does not",
      "config-variable-open: mcpServers.a.args.0 contains ${DIR}, which hosts replace and mcpwright does not",
    ]);
  });
});

test("names have neither credentials nor queries", () => {
  const { target } = readTarget({ target: ["https://user:secret@h/mcp?key=secret"] });
  expect(targetName(target)).toBe("https://h/mcp");
});
