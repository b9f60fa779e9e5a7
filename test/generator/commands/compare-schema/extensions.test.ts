import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareSchema } from "../../../../generator/commands/compare-schema/compare-schema.js";
import { formatReport } from "../../../../generator/commands/compare-schema/format-report.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { digestsByName } from "../../../../generator/shared/fidelity/digest.js";
import type { ExtensionPins } from "../../../../generator/shared/fidelity/pins.js";
import { schemaFolder } from "../../../../generator/shared/sources/schema-folder.js";
import { cli } from "../../../cli/command-line.js";
import { put, refusal, sandbox } from "../../shared/files/sandbox.js";
import { edit, serve } from "../vendor/upstream.js";

const extension = "io.modelcontextprotocol/tasks";
const ours = readFileSync(join(schemaFolder(), "extensions/tasks/draft/schema.ts"), "utf8");

function file(name: string, text: string): string {
  const folder = sandbox();
  put(folder, { [name]: text });
  return join(folder, name);
}

describe("our schema of an extension and another schema.ts", () => {
  test("are the same when only prose differs", async () => {
    const schema = file("schema.ts", ours.replaceAll("/**", "/**\n * The words of its authors.\n *"));
    const report = await compareSchema({ extension, schema });
    expect(report).toMatchObject({ extension, findings: [], explained: true, files: { json: schema } });
    expect(formatReport(report, "text")).toBe(`${extension}: both files say the same.\n`);
  });

  test("differ per definition", async () => {
    const changed = edit(ours, ["  ttlMs: number | null", "  ttlMs: string | null"]);
    const schema = file("spec.types.d.ts", `${changed}\nexport interface Added { size: number }\n`);
    const report = await compareSchema({ extension, schema });
    expect(report.explained).toBe(false);
    expect(report.findings.map(({ type, path, schemaTs, schemaJson }) => [type, path, schemaTs, schemaJson])).toEqual(
      expect.arrayContaining([
        ["Added", "", "nothing", "interface Added { size: number }"],
        ["Task", "ttlMs", "integer | null", "string | null"],
      ]),
    );
    const [first] = report.counts;
    expect(first).toMatchObject({ id: "unexplained", sentence: "The two files state different facts." });
    expect(formatReport(report, "text")).toContain(
      "    mcpwright's schema.ts: nothing\n    the other schema.ts:   interface Added { size: number }\n",
    );
    const { code, out } = await cli("compare-schema", extension, schema, "--format", "markdown");
    expect(code).toBe(1);
    expect(out).toContain(`# How the other schema.ts differs from mcpwright's schema.ts: ${extension}`);
  });
});

describe("the published files of an extension", () => {
  const ts = `
    import type { Error as RpcError, Result } from "./spec.types.js";
    export interface Base { id: string }
    export interface Box extends Base { settings: Record<string, number>; failure?: RpcError }
    export interface BoxResult extends Result { /** @internal */ box: Base }
  `;
  const base = { id: { type: "string" } };
  const definitions = {
    Base: { type: "object", properties: base, required: ["id"] },
    Box: {
      type: "object",
      properties: {
        ...base,
        settings: { type: "object", additionalProperties: { type: "number" } },
        failure: { $ref: "#/$defs/Error" },
      },
      required: ["id", "settings"],
    },
    Error: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
  };
  const json = (more: object = {}): string => JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { ...definitions, ...more } }); // prettier-ignore
  const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

  /** Serves the two files, and pins them. */
  async function published(schemaTs: string, schemaJson?: string): Promise<ExtensionPins> {
    const url = await serve((request, response) => {
      const text =
        request.url === "/v/schema.ts" ? schemaTs : request.url === "/v/schema.json" ? schemaJson : undefined;
      if (text === undefined) response.writeHead(404);
      response.end(text);
    });
    const printed = schemaJson === undefined ? {} : digestsByName(readJsonSchema(schemaJson, "schema.json"));
    const definitions = Object.entries(digestsByName(readTypeScript(schemaTs, "schema.ts"))).map(
      ([name, digest]): [string, { ts: string; json?: string }] => {
        const other = printed[name];
        return [name, { ts: digest, ...(other !== undefined && { json: other }) }];
      },
    );
    return {
      "tasks/draft": {
        source: `${url}/v/schema.ts`,
        "schema.ts": sha(schemaTs),
        ...(schemaJson !== undefined && { "schema.json": sha(schemaJson) }),
        definitions: Object.fromEntries(definitions),
        lossy: {},
      },
    };
  }

  test("are explained by the rules of their printer; types of the revision are left out", async () => {
    const pins = await published(ts.replace(/ *export interface BoxResult.*\n/, ""), json());
    const report = await compareSchema({ extension, pins });
    expect(report).toMatchObject({ extension, explained: true });
    expect(report.findings.map(({ type, path, explanation }) => [type, path, explanation.id])).toEqual([
      ["Box", "", "extends-flattened"],
      ["Box", "failure", "import-named-as-declared"],
    ]);
  });

  test("can differ in a way that no rule explains", async () => {
    const pins = await published(ts, json({ Added: { type: "object", properties: { size: { type: "number" } } } }));
    const { findings } = await compareSchema({ extension, pins });
    const unexplained = findings.filter(({ explanation }) => explanation.kind === "unexplained");
    expect(unexplained.map(({ type, schemaJson }) => [type, schemaJson])).toEqual([
      ["Added", "interface Added { size?: number }"],
      ["BoxResult", "nothing"],
    ]);
  });

  test("without a schema.json, ours and the published schema.ts are compared", async () => {
    const pins = await published(`${ours}// published\n`);
    expect(await compareSchema({ extension, pins })).toMatchObject({
      findings: [],
      files: { ts: "schema/extensions/tasks/draft/schema.ts", json: pins["tasks/draft"]?.source },
    });
  });

  test("must be those that are pinned", async () => {
    const pins = await published(ts, json());
    const pin = pins["tasks/draft"];
    if (!pin) throw new Error("no pin");
    const wrong = { "tasks/draft": { ...pin, "schema.json": sha("other") } };
    const other = { "tasks/draft": { ...pin, definitions: { ...pin.definitions, Base: { ts: "0" } } } };
    expect(await refusal("OUT", compareSchema({ extension, pins: wrong }))).toEqual([
      expect.stringMatching(/^pin-mismatch: .*schema\.json differs from the tasks\/draft .*its sha256 is/),
    ]);
    expect(await refusal("OUT", compareSchema({ extension, pins: other }))).toEqual([
      expect.stringMatching(/^pin-mismatch: .*schema\.ts differs .*the digests of Base differ/),
    ]);
    expect(await refusal("OUT", compareSchema({ extension, pins: {} }))).toEqual([
      `extension-source-unknown: mcpwright does not know where ${extension} was published`,
    ]);
  });
});

test.each<[args: readonly string[], code: number, says: string]>([
  [["com.example/other"], 1, "error[extension-unknown]: mcpwright does not have the extension com.example/other"],
  [[extension, "none.ts"], 1, "error[input-not-found]: cannot read none.ts: ENOENT"],
  [[extension, "none.txt"], 2, "After an extension, pass a schema.ts or schema.json."],
])("%j is refused", async (args, code, says) => {
  const outcome = await cli("compare-schema", ...args);
  expect(outcome).toMatchObject({ code, out: "" });
  expect(outcome.err).toContain(says);
});
