import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeClient } from "../../../../generator/commands/bind/write-client.js";
import { put, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { compileErrors, load } from "./bound.js";
import { weatherCommand, weatherUrl } from "../../shared/sessions/places.js";

type Call = (client: Client, ...args: unknown[]) => Promise<unknown>;

/** The client without its first lines, which contain the command line. */
const bodyOf = (text: string): string => text.replace(/^(\/\/.*\n)+/, "");

async function connected(target: readonly string[]): Promise<Client> {
  const [first = "", ...args] = target;
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(
    first.startsWith("http")
      ? new StreamableHTTPClientTransport(first)
      : new StdioClientTransport({ command: process.execPath, args: [first, ...args] }),
  );
  return client;
}

describe.each([
  ["stdio, per request", () => weatherCommand()],
  ["stdio, by handshake", () => weatherCommand({ revisions: ["2025-11-25"] })],
  ["HTTP, per request", () => weatherUrl()],
  ["HTTP, by handshake", () => weatherUrl({ revisions: ["2025-11-25"] })],
  ["HTTP+SSE", () => weatherUrl({ revisions: ["2024-11-05"] })],
])("over %s", (_way, place) => {
  test("a client is made that compiles and calls", async () => {
    const target = [await place()].flat();
    const { text, findings, ...counts } = await writeClient({ target });
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ tools: 6, prompts: 1, resources: 1, resourceTemplates: 1, file: "none" });
    const client = await connected(target);
    const bound = (await load(text)) as Readonly<Record<string, Call>>;
    const tool = client.getNegotiatedProtocolVersion() === "2024-11-05" ? "cities" : "getForecast";
    const answers = {
      getForecast: { degrees: 3, sky: "clear" },
      cities: { content: [{ type: "text", text: "Rome, Oslo" }] },
    };
    expect(await bound[tool]?.(client, { city: "Rome", days: 3 })).toMatchObject(answers[tool]);
    expect(await bound["planTripPrompt"]?.(client, { city: "Oslo" })).toMatchObject({
      messages: [{ content: { text: "Plan a trip to Oslo." } }],
    });
    expect(await bound["readNote"]?.(client, { id: "a b", page: "2" })).toMatchObject({
      contents: [{ text: JSON.stringify({ id: "a b", page: "2" }) }],
    });
    expect(bound["resources"]).toEqual({ today: "note:///today" });
  });
});

test("the types are those of the server", async () => {
  const { text } = await writeClient({ target: weatherCommand() });
  expect(
    compileErrors(
      text,
      `
const forecast = await bound.getForecast(client, { city: "Rome", days: 3 }, { timeoutMs: 1 });
const degrees: number = forecast.degrees;
const sky: "clear" | "cloudy" | undefined = forecast.sky;
const cities: bound.ToolResult = await bound.cities(client);
const input: unknown = {};
if (bound.isGetForecastInput(input)) input.city.length;
const issues: bound.ValidationIssue[] = bound.checkGetForecastOutput(input);
await bound.planTripPrompt(client, { city: "Rome" });
await bound.readNote(client, { id: "1" });
const uri: "note:///today" = bound.resources.today;
void [degrees, sky, cities, issues, uri];
// @ts-expect-error the city is missing
await bound.getForecast(client, {});
// @ts-expect-error no such argument
await bound.getForecast(client, { city: "Rome", country: "Italy" });
// @ts-expect-error days are numbers
await bound.getForecast(client, { city: "Rome", days: "3" });
// @ts-expect-error it takes nothing
await bound.cities(client, { city: "Rome" });
// @ts-expect-error the city is missing
await bound.planTripPrompt(client, {});
// @ts-expect-error the id is missing
await bound.readNote(client, {});
`,
    ),
  ).toEqual([]);
});

test("failures of tools are thrown, and so is output that breaks its schema", async () => {
  const target = weatherCommand();
  const { getForecast } = (await load((await writeClient({ target })).text)) as { getForecast: Call };
  const client = await connected(target);
  await expect(getForecast(client, { city: "Atlantis" })).rejects.toMatchObject({
    name: "ToolError",
    tool: "get-forecast",
    result: { isError: true },
    message: "tool get-forecast failed: There is no such city.",
  });
  await expect(getForecast(client, { city: "Hell" })).rejects.toMatchObject({
    code: "INVALID_RESULT",
    message: "the output of tool get-forecast does not match its output schema: /degrees must be a number",
  });
});

test("the client does not depend on how the server is reached, except for its first lines", async () => {
  const texts = [
    await writeClient({ target: weatherCommand() }),
    await writeClient({ target: weatherCommand({ revisions: ["2025-11-25"], pageSize: 1 }) }),
    await writeClient({ target: [await weatherUrl()] }),
  ].map(({ text }) => bodyOf(text));
  expect(new Set(texts).size).toBe(1);
});

test("the recipe has no secrets", async () => {
  const url = new URL(await weatherUrl());
  url.username = "me";
  url.password = "hunter2";
  url.searchParams.set("api_key", "hunter2");
  const overHttp = await writeClient({
    target: [url.href.replace("me:hunter2@", "")],
    headers: { "X-Key": "hunter2" },
  });
  expect(overHttp.text).toContain(
    `//   mcpwright bind --header 'X-Key: ***' '${url.origin}/mcp?api_key=***'\n`.replace("me:hunter2@", ""),
  );
  const [program = "", options = ""] = weatherCommand();
  const target = [program, options, "--api-key", "hunter2", "--token=hunter2", "https://me:hunter2@h/"];
  const overStdio = await writeClient({ target, env: { TOKEN: "hunter2" }, revision: "2025-11-25" });
  expect(overStdio.text).toContain("mcpwright bind --revision 2025-11-25 --env TOKEN -- ");
  expect(overStdio.text).toContain(" --api-key '***' '--token=***' https://h/\n");
  expect(overHttp.text + overStdio.text).not.toContain("hunter2");
});

describe("a file", () => {
  const target = weatherCommand();

  test("is written, with the folders it needs, and nothing else", async () => {
    const folder = sandbox();
    const result = await writeClient({ target, out: join(folder, "src/bound/weather.ts") });
    expect(result.file).toBe("written");
    expect(treeOf(folder)).toEqual({ "src/bound/weather.ts": result.text });
  });

  test("is left alone when it is as it should be", async () => {
    const out = join(sandbox(), "weather.ts");
    await writeClient({ target, out });
    expect(await writeClient({ target, out })).toMatchObject({ file: "unchanged" });
  });

  test("is written anew when the server has changed", async () => {
    const out = join(sandbox(), "weather.ts");
    await writeClient({ target, out });
    expect(await writeClient({ target: weatherCommand({ later: true }), out })).toMatchObject({ file: "written" });
    expect(readFileSync(out, "utf8")).toContain("listCities");
  });

  test.each([
    ["was not generated", () => "export const mine = 1;\n", "file-foreign"],
    ["was changed by hand", (text: string) => `${text}\nexport const mine = 1;\n`, "output-edited"],
  ])("that %s stays as it is", async (_name, change, id) => {
    const out = join(sandbox(), "weather.ts");
    const mine = change((await writeClient({ target })).text);
    writeFileSync(out, mine);
    await expect(writeClient({ target, out })).rejects.toMatchObject({ diagnostics: [{ id }] });
    expect(readFileSync(out, "utf8")).toBe(mine);
  });

  test("that cannot be written is reported, and no file is left", async () => {
    const folder = sandbox();
    put(folder, { file: "", "weather.ts/x": "" });
    const refusal = (out: string) => expect(writeClient({ target, out: join(folder, out) })).rejects;
    await refusal("file/weather.ts").toMatchObject({
      diagnostics: [{ id: expect.stringMatching(/^(output-not-writable|file-not-readable)$/) as string }],
    });
    await refusal("weather.ts").toMatchObject({ diagnostics: [{ id: "file-not-readable" }] });
    expect(readdirSync(folder).sort()).toEqual(["file", "weather.ts"]);
  });
});

describe("--check", () => {
  const target = weatherCommand();

  test("reports no change, however the server is reached", async () => {
    const out = join(sandbox(), "weather.ts");
    await writeClient({ target, out });
    const before = readFileSync(out, "utf8");
    for (const again of [target, [await weatherUrl()]])
      expect(await writeClient({ target: again, out, check: true, timeoutMs: 20_000 })).toMatchObject({
        file: "checked",
        drift: { sentences: [], diff: "" },
        findings: [],
      });
    expect(readFileSync(out, "utf8")).toBe(before);
  });

  test("reports the changes of each tool, and prints a diff", async () => {
    const out = join(sandbox(), "weather.ts");
    await writeClient({ target, out });
    const { drift, findings } = await writeClient({ target: weatherCommand({ later: true }), out, check: true });
    expect(drift.sentences).toEqual([
      'the tool "cities" is gone',
      'of the tool "get-forecast", the input has changed',
      'the tool "list-cities" is new',
    ]);
    expect(drift.diff).toContain("\n-  days?: number;\n+  days?: string;\n");
    expect(findings).toMatchObject([{ id: "bind-drift" }]);
  });

  test.each([
    ["does not exist", undefined, /does not exist$/],
    ["was not generated", () => "export {};\n", /was not generated by mcpwright bind$/],
    ["was edited by hand", (text: string) => text.replace("days?", "weeks?"), /was edited by hand$/],
  ])("a file that %s is out of date", async (_name, change, expected) => {
    const out = join(sandbox(), "weather.ts");
    if (change) writeFileSync(out, change((await writeClient({ target })).text));
    const { drift } = await writeClient({ target, out, check: true });
    expect(drift.sentences).toEqual([expect.stringMatching(expected)]);
    expect(drift.diff).not.toBe("");
  });
});
